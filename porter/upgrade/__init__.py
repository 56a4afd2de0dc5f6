"""Upgrade from one release of PyTorch to another: lists the necessary work before anything is compiled.

May import: `porter.verify` and the packages below it in the table of docs/architecture.md.
"""
