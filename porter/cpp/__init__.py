"""Readers of C++ and CUDA text, based on tokens and brackets, without a grammar.

May import: base, model, regex.
"""
