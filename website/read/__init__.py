"""Stored results as rows: points, figures, rankings, changes."""
