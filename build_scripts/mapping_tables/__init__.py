"""Modules shared by the scripts that write the tables of `mappings/`.

All of them:

    command     their options, how they end, and how they write or compare
    errors      why a table cannot be made
    inventory   the names of CUDA's headers
    layout      tables as text
    by_hand     the names that YAML rules decide, which a table leaves alone
    cpp_words   the words of C++ text

cuda_inventory.py:

    cuda_rules      how names are sorted and which are left out (cuda_inventory.toml)
    cuda_wheels     NVIDIA's wheels and the headers in them
    cuda_headers    what headers declare, read with libclang

import_hipify.py:

    hip_knowledge   what is known beyond HIPIFY's tables (import_hipify.toml)
    rocm            HIPIFY's tables and the words of ROCm's headers

simt_tables.py:

    simt_plan       the decisions (mappings/simt/plan.toml)
    simt_decisions  what they make of each name, and what they get wrong
    pytorch_words   the words of PyTorch's CUDA sources
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  they run with whatever python is called
    print(f"error: {sys.executable} is Python {sys.version.split()[0]}", file=sys.stderr)
    print("  help: Python 3.11 or later is needed, as in .venv", file=sys.stderr)
    sys.exit(2)
