"""PyTorch's database of operators, checked on a device. It stands alone: no other module of porter's is used."""
