"""The ladder of releases as data for its page: what came of each release, its figures without the machine's drift, steps."""
