"""Conversion of results to text, tables, Markdown and JSON, and comparison of two ports.

May import: `porter.overlay` and the packages below it in the table of docs/architecture.md.
"""
