"""Vendors' SDKs, unpacked from Debian packages into a cache outside the checkout."""
