"""Commands that inspect sources, rules, ports and the machine: explain, scan, doctor, compare, mapping check.

May import: `porter.upgrade` and the packages below it in the table of docs/architecture.md.
"""
