"""The rewriter: converts upstream text to ported text by a rule set, and returns edits and residue. Pure.

May import: base, model, regex, cpp.
"""
