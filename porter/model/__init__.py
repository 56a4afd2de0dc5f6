"""Results and settings that packages pass to each other: frozen data without I/O.

May import: base.
"""
