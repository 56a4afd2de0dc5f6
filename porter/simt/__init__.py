"""Target `simt`'s runtime, CUDA semantics on the host CPU: where its sources are, and how they are built."""
