"""A plugin of asv: results are filed under the name of this machine's hardware, whatever its host is called.

asv itself files results under the host's name, or a name that the user chose. Then two equal hosts are two machines, and a
name that moves to other hardware stays one. asv's ``~/.asv-machine.json`` is neither needed nor changed. ``asv run
--machine NAME`` still overrides all this.

``make hosted-machine`` prints the name.
"""

import argparse
import platform
from pathlib import Path
from typing import Any

from asv import util
from asv.machine import Machine

from history.store.results import MACHINE
from jitkernels import machine


class Hardware(Machine):  # type: ignore[misc]
    """This machine. asv copies its attributes into results and separates graphs by them, so it has only a name."""

    def __init__(self) -> None:
        self.machine = machine.identity()

    def save(self, results_dir: str) -> None:
        """Write machine.json: the name, the hardware that it stands for, and the memory."""
        described = {
            "machine": self.machine,
            "cpu": machine.processor(),
            "num_cpu": str(machine.cores()),
            "arch": platform.machine(),
            "os": platform.system(),
            "ram": str(util.get_memsize()),
        }
        util.write_json(str(Path(results_dir, self.machine, MACHINE)), described, self.api_version)


def _load(*, machine_name: str | None = None, **options: Any) -> Machine:
    return _load_named(machine_name=machine_name, **options) if machine_name else Hardware()


_load_named = Machine.load
Machine.load = _load
Machine.hardcoded_machine_name = machine.identity()

if __name__ == "__main__":
    argparse.ArgumentParser(description="print the name under which this machine's results are filed").parse_args()
    print(f"results are filed under {machine.identity()}")
