"""Commands that answer questions about sources, rules and the machine: explain, scan, locate, doctor.

May import: upgrade and all below it.
"""
