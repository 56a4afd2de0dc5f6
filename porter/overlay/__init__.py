"""Overlays: hand-made changes of ported files, stored with their base, and merged three ways.

May import: mapping and all below it.
"""
