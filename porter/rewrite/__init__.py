"""The rewriter: upstream text and a rule set in, ported text, edits and residue out. Pure.

May import: base, model, regex, cpp.
"""
