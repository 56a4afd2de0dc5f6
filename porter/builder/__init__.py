"""The build stage: objects, registrations and libraries of a port, and the check of their symbols.

May import: register and all below it.
"""
