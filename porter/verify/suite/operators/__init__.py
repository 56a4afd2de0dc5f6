"""PyTorch's operator database, checked on a device. The program stands alone: it imports no other module of porter."""
