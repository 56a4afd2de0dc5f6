"""Conversion of results to text, tables, Markdown and JSON. This package reads no port from disk.

May import: `porter.overlay` and the packages below it in the table of docs/architecture.md.
"""
