"""Parts of `check_all` and `check_unlisted`: the order of a sweep over operators, its results, and further calls."""
