"""A vendor's repository of mappings: its ports are made again and compared with their lock files.

May import: `porter.inspect` and the packages below it in the table of docs/architecture.md.
"""
