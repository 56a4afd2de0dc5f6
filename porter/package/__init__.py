"""The package stage: makes the Python package and its wheel from a build.

May import: custom_ops and all below it.
"""
