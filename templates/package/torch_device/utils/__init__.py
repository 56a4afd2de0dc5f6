"""Counterparts of `torch.utils` for this device."""
