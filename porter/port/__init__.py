"""The port stage: select files, find changes, rewrite files, and replace the output folder.

May import: report and all below it.
"""
