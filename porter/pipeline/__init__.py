"""The stages of `porter run`, in their order.

May import: `porter.vendor_repository` and the packages below it in the table of docs/architecture.md.
"""
