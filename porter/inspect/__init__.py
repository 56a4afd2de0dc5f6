"""Code of the commands that inspect sources, rules and the machine: explain, scan, doctor, mapping check.

May import: `porter.upgrade` and the packages below it in the table of docs/architecture.md.
"""
