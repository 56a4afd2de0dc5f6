"""PyTorch's operator tests against a built backend."""
