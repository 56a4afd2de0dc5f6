"""CUDA toolkit of a target: a compiler driver with nvcc's command line, toolkit folders, and builds of extensions.

May import: `porter.package` and the packages below it in the table of docs/architecture.md.
"""
