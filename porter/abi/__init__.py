"""ABI audit: layouts of PyTorch's classes in a release, and their differences between two releases.

May import: builder and all below it.
"""
