"""Files, errors, processes and caches, independent of CUDA and PyTorch.

May import: nothing of porter.
"""
