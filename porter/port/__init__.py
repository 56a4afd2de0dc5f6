"""The port stage: selects files, decides what changed, rewrites, writes and swaps the output folder.

May import: report and all below it.
"""
