"""Regular expressions of mappings: proof of linear time, texts that every match contains, samples, replacements.

May import: base, model.
"""
