"""ABI audit: layouts of PyTorch's classes in a release, and their differences between two releases.

May import: `porter.builder` and the packages below it in the table of docs/architecture.md.
"""
