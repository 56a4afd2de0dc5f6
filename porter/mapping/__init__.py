"""Mapping files: loading, checking, compiling into a rule set, evidence and coverage.

May import: `porter.rewrite` and the packages below it in the table of docs/architecture.md.
"""
