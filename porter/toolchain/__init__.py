"""Compiler, installed PyTorch and ninja: discovery, build files, one driver, diagnostics.

May import: `porter.release` and the packages below it in the table of docs/architecture.md.
"""
