"""The hosts of a Dask cluster measure units, each once on each machine."""
