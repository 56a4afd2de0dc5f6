"""Known releases of PyTorch: facts of their wheels, and proofs for each release.

May import: port and all below it.
"""
