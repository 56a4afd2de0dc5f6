"""The runtime of target `simt`: its sources, its build, its compiler flags.

May import: toolchain and all below it.
"""
