"""Reading of C++ and CUDA text by tokens and brackets, without a grammar.

May import: base, model, regex.
"""
