"""The register stage: operators of a release, decisions, and the C++ that registers them on PrivateUse1.

May import: `porter.facade` and the packages below it in the table of docs/architecture.md.
"""
