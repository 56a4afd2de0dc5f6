"""Compiler, installed PyTorch and ninja: discovery, build files, one driver, diagnostics.

May import: release and all below it.
"""
