"""Suite program that checks the operators of PyTorch's operator database on a device. Imports no other module of
porter."""
