"""porter brings PyTorch's CUDA backend to accelerators whose runtime resembles CUDA."""

__version__ = "0.1.0"
