"""Numbers with their units, for people."""

from collections.abc import Sequence

SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
BYTES = ((1e6, "MB"), (1e3, "kB"), (1.0, "B"))


def quantity(value: float | None, units: Sequence[tuple[float, str]]) -> str:
    """Return three digits and a unit, as in "12,300 s"; "" for None. units: scales and names, the largest first."""
    if value is None:
        return ""
    rounded = float(f"{value:.3g}")  # first: 999.9 us are 1 ms
    scale, unit = next((pair for pair in units if abs(rounded) >= pair[0]), units[-1])
    number = rounded / scale
    return f"{number:,.0f} {unit}" if abs(number) >= 1000 else f"{number:.3g} {unit}"


def seconds(value: float | None) -> str:
    return quantity(value, SECONDS)


def file_size(value: float | None) -> str:
    return quantity(value, BYTES)


def megabytes(value: float | None) -> str:
    """Return whole megabytes (10^6 bytes); "" for None."""
    return "" if value is None else f"{value / 1e6:.0f} MB"


def minutes(seconds: float) -> str:
    """Return minutes and seconds: "12:05"."""
    return "{}:{:02}".format(*divmod(round(seconds), 60))
