"""Kernels of jitkernels in the dialect of Warp, one module each."""
