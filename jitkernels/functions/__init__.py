"""A user's own functions as a kernel, for ``jitkernels.compare``: measured and checked as this library's are."""
