"""Results as text, tables, Markdown and JSON. The functions here neither read a port from disk nor run commands.

May import: `porter.overlay` and the packages below it in the table of docs/architecture.md.
"""
