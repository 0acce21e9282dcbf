"""What every framework's module in this package promises to ``process``.

A module drives one framework's ahead-of-time way and imports it at its top; ``form`` is the name of a form in the table.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from jitkernels.case import Case, prepare


class Order(NamedTuple):
    """What is to be built, or was. form: its name. backend: whose case it is, the form's own or its host's."""

    kernel: str
    backend: str
    size: int
    seed: int
    form: str

    def case(self) -> Case:
        """Ready, but not called; Unavailable where the cell cannot run here."""
        return prepare(self.kernel, self.backend, self.size, self.seed)


class Builder(Protocol):
    def ready(self, order: Order) -> Any:
        """All that ``build`` needs and that no clock should see: imports, inputs on the device, one-off starts."""

    def build(self, subject: Any, form: str, directory: Path) -> None:
        """Compile ahead of time what ``ready`` gave, and leave in ``directory`` the files to be shipped, and no others."""

    def facts(self, form: str, directory: Path) -> dict[str, Any]:
        """What is in the files, as far as it is cheap to tell: what they are for, and on what they depend."""


class Loader(Protocol):
    def load(self, case: Case, form: str, directory: Path) -> Callable[..., Any]:
        """The program in ``directory``, which takes and gives what the case's own does. The case is the host's; its
        source is for those forms that leave a part of ``run`` to Python, or that are found by their source."""


def started(order: Order) -> Case:
    """The usual ``ready``: the case, with its framework's one-off costs paid."""
    case = order.case()
    case.start()
    return case
