"""Upgrade from one release of PyTorch to another: lists the necessary work before anything is compiled.

May import: verify and all below it.
"""
