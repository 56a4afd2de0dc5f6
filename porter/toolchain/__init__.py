"""Compiler, installed PyTorch and ninja: discovery, build files, one driver, diagnostics.

May import: port and all below it.
"""
