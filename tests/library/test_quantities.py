"""Numbers with their units: three digits, and the unit that fits the rounded number."""

import pytest

from jitkernels import quantities


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (0.0, "0 ns"),
        (-0.01, "-10 ms"),
        (5.6e-5, "56 us"),
        (9.994e-4, "999 us"),
        (9.996e-4, "1 ms"),
        (0.9999, "1 s"),
        (1234.0, "1,230 s"),
        (12_345.0, "12,300 s"),
    ],
)
def test_seconds(value: float | None, text: str) -> None:
    assert quantities.seconds(value) == text


@pytest.mark.parametrize(("value", "text"), [(15_408, "15.4 kB"), (999.9, "1 kB"), (999_900, "1 MB"), (2.5e9, "2,500 MB")])
def test_bytes_of_a_file(value: float, text: str) -> None:
    assert quantities.file_size(value) == text
