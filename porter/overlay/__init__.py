"""Overlays: hand-made changes of ported files, stored with their base, and merged three ways.

May import: `porter.mapping` and the packages below it in the table of docs/architecture.md.
"""
