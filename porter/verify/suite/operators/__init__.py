"""Suite program: checks of PyTorch's operator database on a device. It imports no other module of porter."""
