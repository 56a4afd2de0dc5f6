"""Comparison of two releases of PyTorch: lists the edits that an upgrade requires. Nothing is compiled.

May import: `porter.verify` and the packages below it in the table of docs/architecture.md.
"""
