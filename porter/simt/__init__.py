"""Runtime of target `simt`: sources, build, compiler flags.

May import: `porter.toolchain` and the packages below it in the table of docs/architecture.md.
"""
