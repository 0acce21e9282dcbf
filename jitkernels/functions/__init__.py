"""A user's own functions as a kernel, for ``jitkernels.compare``: measured and checked like this library's kernels."""
