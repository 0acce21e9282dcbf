"""Numbers with their units, for people."""

UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


def seconds(value: float | None) -> str:
    """Return three digits and a unit; "" for None."""
    if value is None:
        return ""
    scale, unit = next((pair for pair in UNITS if abs(value) >= pair[0]), UNITS[-1])
    return f"{value / scale:.3g} {unit}"


def megabytes(value: int | None) -> str:
    """Return whole megabytes (10^6 bytes); "" for None."""
    return "" if value is None else f"{value / 1e6:.0f} MB"
