"""PyTorch's operator database and device tests, run on an installed backend.

May import: package and all below it.
"""
