"""asv's environment with only those compilers installed that a run needs. A plugin of asv's (asv.conf.json).

``asv run --environment as_needed`` uses the same environment as ``asv run``, under the same name, and files its results the
same way. It installs what NEEDED names, one run after the other. asv's own class takes an environment for complete only
when all that asv.conf.json requires is installed, and makes it anew otherwise.
"""

import os
from typing import Any

from asv.plugins.virtualenv import Virtualenv
from asv.util import UserError

NEEDED = "JITKERNELS_NEEDED"  # names requirements of asv.conf.json; unset, all are needed


class AsNeeded(Virtualenv):  # type: ignore[misc]  # asv has no types
    """A virtualenv whose requirements are installed when a run needs them."""

    tool_name = "as_needed"
    _requirements: dict[str, str]
    _base_requirements: dict[str, str]

    def __init__(self, *arguments: Any) -> None:
        self.tool_name = Virtualenv.tool_name  # from here on: the name and the directory are those of asv's own class
        super().__init__(*arguments)

    def create(self) -> None:
        """Create the environment where there is none, and install what is needed and missing. The info file names what is
        installed."""
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
        """Return the requirements that are installed; none where another version of one is, for asv to begin anew."""
        try:
            installed: dict[str, str] = self.load_info_file(self._path)["requirements"]
        except (UserError, OSError):
            return {}
        return installed if installed.items() <= self._requirements.items() else {}
