"""Operators of one's own: from an `ops.yaml` to registrations, a Python module, and a project of its own."""
