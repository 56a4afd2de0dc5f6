"""The register stage: operators of a release, decisions, and the C++ that registers them on PrivateUse1.

May import: facade and all below it.
"""
