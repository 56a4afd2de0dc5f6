"""Runtime of target `simt`: sources, build, compiler flags.

May import: toolchain and all below it.
"""
