"""Targets on the host: a vendor's names over the runtime of target `simt`.

May import: `porter.simt` and the packages below it in the table of docs/architecture.md.
"""
