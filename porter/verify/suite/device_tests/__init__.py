"""Suite program: PyTorch's own device-generic tests on a backend."""
