"""PyTorch's operator database and device tests, run on an installed backend.

May import: `porter.checks` and the packages below it in the table of docs/architecture.md.
"""
