"""Targets on the host: a vendor's names over the runtime of target `simt`.

May import: simt and all below it.
"""
