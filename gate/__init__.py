"""May this change land? ``python -m gate BASE HEAD`` measures two commits side by side and judges what it saw."""
