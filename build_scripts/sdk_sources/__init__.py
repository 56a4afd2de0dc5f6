"""SDKs of vendors, unpacked from packages of Debian into a cache outside the checkout."""
