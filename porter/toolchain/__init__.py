"""Discovery of the compiler and of PyTorch, ninja files, runs of ninja, and diagnostics of compilers.

May import: `porter.release` and the packages below it in the table of docs/architecture.md.
"""
