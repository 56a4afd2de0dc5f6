"""Operators declared in an `ops.yaml`: reading, generated C++ and Python, build and tests.

May import: builder and all below it.
"""
