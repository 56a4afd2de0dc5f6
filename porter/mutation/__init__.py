"""Mutation score of mappings: rules are deleted or misspelt one by one, and the stages that notice are counted.

May import: `porter.inspect` and the packages below it in the table of docs/architecture.md.
"""
