"""asv's environment with only those compilers installed that a run needs. A plugin of asv's (asv.conf.json).

``asv run --environment as_needed`` uses the same environment as ``asv run``, with the same name and the same files of
results. Each run adds the packages that NEEDED names. asv's own class remakes an environment in which any requirement of
asv.conf.json is missing.
"""

import os
from typing import Any

from asv.plugins.virtualenv import Virtualenv
from asv.util import UserError

NEEDED = "JITKERNELS_NEEDED"  # names requirements of asv.conf.json; if unset, all are needed


class AsNeeded(Virtualenv):  # type: ignore[misc]  # asv has no types
    """A virtualenv whose requirements are installed when a run needs them."""

    tool_name = "as_needed"
    _requirements: dict[str, str]
    _base_requirements: dict[str, str]

    def __init__(self, *arguments: Any) -> None:
        self.tool_name = Virtualenv.tool_name  # from here on, so that name and directory are those of asv's class
        super().__init__(*arguments)

    def create(self) -> None:
        """Create the environment if it is missing, and install missing packages that are needed. The info file names the
        installed ones."""
        required, base = self._requirements, self._base_requirements
        needed = os.environ[NEEDED].split() if NEEDED in os.environ else required
        installed = self._installed()
        missing = {name: version for name, version in required.items() if name in needed and name not in installed}
        try:
            self._requirements = installed
            super().create()
            if missing:
                self._requirements, self._base_requirements = missing, {}
                self._install_requirements()
                self._requirements = installed | missing
                self.save_info_file(self._path)
        finally:
            self._requirements, self._base_requirements = required, base

    def _installed(self) -> dict[str, str]:
        """Return the installed requirements; {} if one has another version, so that asv begins anew."""
        try:
            installed: dict[str, str] = self.load_info_file(self._path)["requirements"]
        except (UserError, OSError):
            return {}
        return installed if installed.items() <= self._requirements.items() else {}
