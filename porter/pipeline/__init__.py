"""The stages of `porter run`, in their order.

May import: `porter.project` and the packages below it in the table of docs/architecture.md.
"""
