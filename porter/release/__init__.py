"""Releases of PyTorch: facts of their wheels, and what was proven on each.

May import: port and all below it.
"""
