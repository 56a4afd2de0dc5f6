"""Checks of CUDA programs on the host (`porter check`): instrumented builds, findings and suppressions.

May import: `porter.toolkit` and the packages below it in the table of docs/architecture.md.
"""
