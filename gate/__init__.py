"""May this change land? ``python -m gate BASE HEAD`` measures two commits as a duet, judges, and reports."""
