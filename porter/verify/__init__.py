"""PyTorch's operator database and device tests, run against an installed backend.

May import: package and all below it.
"""
