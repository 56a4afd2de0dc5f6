"""The package stage: a build in, the Python package and its wheel out.

May import: custom_ops and all below it.
"""
