"""make hosted-machine: call this machine after its processor, so that results of hosted runners find each other again.

asv files results under the name of the host, which a hosted runner has anew each time, and two runners of one kind differ by
some kilobytes of memory, which the site takes for two machines. So the name says the processor and its cores, and memory is
rounded. It is written as the only machine in ``~/.asv-machine.json``: asv takes that one for any host that it does not know.
A person's own file would be lost by that, so nothing is written but where the variable CI is set, as hosted runners have it.
"""

import os
import re
import sys

from asv.machine import Machine, MachineCollection
from asv.util import write_json

GIB = 2**30


def main() -> int:
    if not os.environ.get("CI"):
        print("this replaces ~/.asv-machine.json; where that is meant, set CI=true", file=sys.stderr)
        return 2
    info = hosted(Machine.get_defaults())
    write_json(MachineCollection.get_machine_file_path(), {info["machine"]: info}, MachineCollection.api_version)
    print(f"results are filed under {info['machine']}")
    return 0


def hosted(info: dict[str, str]) -> dict[str, str]:
    """asv's description of a machine, for one of many of its kind. ``ram`` is in bytes."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", info["cpu"]).strip("-").lower()
    return {**info, "machine": f"hosted-{words}-{info['num_cpu']}", "ram": str(round(int(info["ram"]) / GIB) * GIB)}


if __name__ == "__main__":
    sys.exit(main())
