"""The port stage: select files, find changes, rewrite files, and replace the output folder.

May import: `porter.report` and the packages below it in the table of docs/architecture.md.
"""
