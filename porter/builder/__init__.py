"""The build stage: objects, registrations and libraries of a port, and the check of their symbols.

May import: `porter.register` and the packages below it in the table of docs/architecture.md.
"""
