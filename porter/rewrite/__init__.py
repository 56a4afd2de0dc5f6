"""The rewriter converts upstream text to ported text by a rule set, and returns edits and residue. It does no I/O.

May import: base, model, regex, cpp.
"""
