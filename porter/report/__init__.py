"""Results as text, tables, Markdown and JSON. Reads no port and runs nothing.

May import: mapping and all below it.
"""
