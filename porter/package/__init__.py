"""The package stage: makes the Python package and its wheel from a build.

May import: `porter.custom_ops` and the packages below it in the table of docs/architecture.md.
"""
