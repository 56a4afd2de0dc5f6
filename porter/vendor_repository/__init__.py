"""A vendor's repository of mappings: makes the ports again, and compares the ports with their lock files.

May import: `porter.mutation` and the packages below it in the table of docs/architecture.md.
"""
