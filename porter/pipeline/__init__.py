"""The stages of `porter run`, in their order.

May import: inspect and all below it.
"""
