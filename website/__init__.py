"""The published site: stored results as data files, and the pages that show them."""
