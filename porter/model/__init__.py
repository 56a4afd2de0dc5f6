"""Results and settings that packages hand to each other: frozen data, no I/O.

May import: base.
"""
