"""Comparisons of ``user_functions`` for tests."""

from typing import Any

import user_functions

import jitkernels
from jitkernels import kernels
from jitkernels.functions.report import Report

FUNCTIONS = {"numpy": user_functions.right}


def compare(functions: dict[str, Any], **options: Any) -> Report:
    """One process a function; a busy machine may take its time."""
    return jitkernels.compare(
        functions, user_functions.inputs, [50], **{"processes": 1, "lives": (), "timeout": 3600, **options}
    )


def reason(report: Report, label: str) -> tuple[str, str]:
    (row,) = [row for row in report.rows if row["label"] == label]
    return row["status"], row["reason"]


def require(backend: str) -> None:
    """Raise Unavailable where the backend cannot run: the test is skipped with the reason."""
    jitkernels.prepare("softmax", backend, kernels.load("softmax").default_size)
