"""The register stage: which operators the backend offers, and the C++ that tells PyTorch so."""
