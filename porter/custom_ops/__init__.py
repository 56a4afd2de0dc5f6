"""Operators declared in an `ops.yaml`: reading, generated C++ and Python, build and tests.

May import: abi and all below it.
"""
