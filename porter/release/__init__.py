"""Known releases of PyTorch: facts of their wheels, and proofs, which state the stages that succeeded.

May import: `porter.port` and the packages below it in the table of docs/architecture.md.
"""
