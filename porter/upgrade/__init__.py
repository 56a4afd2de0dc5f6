"""Upgrade from one release of PyTorch to another: the rows of work that two trees show before anything is compiled.

May import: verify and all below it.
"""
