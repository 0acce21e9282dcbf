"""Times as ISO 8601 in UTC, and as seconds since 1970."""

import datetime


def as_seconds(iso: str) -> float | None:
    """Return an ISO time as seconds; None for any other text."""
    try:
        return datetime.datetime.fromisoformat(iso).timestamp()
    except ValueError:
        return None


def as_iso(seconds: float) -> str:
    """Return seconds as an ISO time, to the second."""
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
