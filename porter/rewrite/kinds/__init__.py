"""Rule kinds, one module each; `ORDER` is the order in which they see a file.

May import: what rewrite may import.
"""
