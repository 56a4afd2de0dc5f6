"""Overlays: hand-made changes of ported files. They are stored with their base and applied by a three-way merge.

May import: `porter.mapping` and the packages below it in the table of docs/architecture.md.
"""
