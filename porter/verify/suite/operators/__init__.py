"""Suite program that checks the operators of PyTorch's operator database on a device.

The program imports no other module of porter.
"""
