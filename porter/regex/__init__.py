"""Regular expressions of mappings: check for linear run time, prefilter, sample texts, replacement templates.

May import: base, model.
"""
