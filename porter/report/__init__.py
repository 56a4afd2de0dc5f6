"""Results as text, tables, Markdown and JSON. The functions here neither read a port from disk nor run commands.

May import: mapping and all below it.
"""
