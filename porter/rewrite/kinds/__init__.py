"""Rule kinds, one module each; `porter.rewrite.kinds.order` lists them in the order in which they see a file.

May import: what rewrite may import.
"""
