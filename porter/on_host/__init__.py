"""Builds on the host (`--on-host`): generated headers that declare a vendor's names and call the runtime `simt`.

May import: `porter.simt` and the packages below it in the table of docs/architecture.md.
"""
