"""Parts of `build_scripts/check_all`: the order of a sweep of checks over PyTorch's operators, and its results."""
