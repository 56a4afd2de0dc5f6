"""Code of the commands that inspect sources, rules and the machine: explain, scan, doctor, mapping check.

May import: upgrade and all below it.
"""
