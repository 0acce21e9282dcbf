"""The ladder of releases as data: each release's outcome, its figures without the machine's drift, and its steps."""
