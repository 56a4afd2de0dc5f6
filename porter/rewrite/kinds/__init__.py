"""Rule kinds, one module each. `porter.rewrite.kinds.order` lists the kinds in the order of application.

May import: the packages that `porter.rewrite` may import.
"""
