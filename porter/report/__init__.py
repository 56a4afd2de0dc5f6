"""Results as text, tables, Markdown and JSON. The functions here neither read a port from disk nor run commands.

May import: overlay and all below it.
"""
