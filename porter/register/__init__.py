"""The register stage: operators of a release, decisions, and C++ code that registers operators on PrivateUse1.

May import: `porter.on_host` and the packages below it in the table of docs/architecture.md.
"""
