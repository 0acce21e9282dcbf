"""Convert typed text to numbers and known names. Raises ValueError, in one line, for anything else."""

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from jitkernels import kernels
from jitkernels.backends.table import catalogue, find_backend
from jitkernels.kernel import Kernel


def number(text: str) -> Any:
    """Return 1e6 and 1_000_000 as exact ints; any other text unchanged, so that a later check can name it."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return text
    whole = value.is_finite() and value.adjusted() < 30 and value == value.to_integral_value()  # 1e999 would fill memory
    return int(value) if whole else text


def backends(names: Sequence[str] | None) -> tuple[str, ...]:
    """Return these backends, each once, or all."""
    return tuple(dict.fromkeys(find_backend(name).name for name in names) if names else catalogue())


def sizes(names: Sequence[str], numbers: Sequence[Any] | None) -> tuple[tuple[str, int], ...]:
    """Return each kernel with each size once, or with its default size; "softmax=1e6" names its own size."""
    parts = (name.partition("=") for name in names)
    named = ((kernels.load(name), [number(size)] if mark else numbers) for name, mark, size in parts)
    return tuple(dict.fromkeys((spec.name, size) for spec, chosen in named for size in sizes_of(spec, chosen)))


def sizes_of(spec: Kernel, numbers: Sequence[Any] | None) -> list[int]:
    """Return these sizes of one kernel, or its default size. ValueError, with the kernel's name, for one that it lacks."""
    try:
        return [spec.valid_size(size) for size in numbers] if numbers else [spec.default_size]
    except ValueError as error:
        raise ValueError(f"{spec.name}: {error}") from None
