"""The stages of `porter run`, in their order.

May import: project and all below it.
"""
