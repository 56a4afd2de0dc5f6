"""Operators declared in an `ops.yaml`: reading, generated C++ and Python, build and tests.

May import: `porter.abi` and the packages below it in the table of docs/architecture.md.
"""
