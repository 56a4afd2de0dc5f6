"""A repository of mappings: its ports, made anew and compared with their lock files.

May import: inspect and all below it.
"""
