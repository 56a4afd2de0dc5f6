"""Mapping files: loading, checking, compiling into a rule set, evidence and coverage.

May import: rewrite and all below it.
"""
