"""Modules shared by the scripts that write the tables of `mappings/`.

Used by all scripts:

    command     options, exit codes, writing and comparing of tables
    errors      errors with exit codes and advice
    inventory   names of CUDA's headers
    layout      text of tables
    by_hand     names about which YAML rules decide; tables omit these names
    cpp_words   identifiers in C++ text

cuda_inventory.py:

    cuda_rules      assignment of names to API areas, and omitted names (cuda_inventory.toml)
    cuda_wheels     NVIDIA's wheels and the headers in them
    cuda_headers    declarations in headers, read with libclang

import_hipify.py:

    hip_knowledge   facts that HIPIFY's tables lack (import_hipify.toml)
    rocm            HIPIFY's tables and the words in ROCm's headers

simt_tables.py:

    simt_plan       the plan (mappings/simt/plan.toml)
    simt_decisions  decision of the plan about each name, and errors in the plan
    pytorch_words   words in PyTorch's CUDA sources
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (any Python may run the scripts)
    print(f"error: {sys.executable} is Python {sys.version.split()[0]}", file=sys.stderr)
    print("  help: Python 3.11 or later is needed, as in .venv", file=sys.stderr)
    sys.exit(2)
