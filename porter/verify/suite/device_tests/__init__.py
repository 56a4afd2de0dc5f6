"""Suite program that runs the device-generic tests of PyTorch's repository on a backend."""
