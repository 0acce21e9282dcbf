"""What is measured: asv's classes, one module a kernel. Discovery imports no framework."""
