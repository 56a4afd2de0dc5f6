"""Overlays: hand-made changes of ported files, kept with the text that they were made against, and merged three ways.

May import: mapping and all below it.
"""
