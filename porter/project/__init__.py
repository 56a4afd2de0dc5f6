"""A vendor's repository of mappings: its ports are made again and compared with their lock files.

May import: inspect and all below it.
"""
