"""Files, errors, processes and caches. Knows neither CUDA nor PyTorch.

May import: nothing of porter.
"""
