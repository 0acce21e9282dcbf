"""make site: rebuild the whole site from stored results, without measuring.

Results are in ``results/`` (the repository's data set) and in asv's own directory. Neither is changed, except that records
of measuring processes are put beside asv's results. asv publishes a copy of all files that can be read. The other files are
named.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from asv.config import Config
from asv.plugin_manager import plugin_manager
from asv.util import ProcessError, UserError

from website import publisher

OK, FAILED, LEFT_OUT, INTERRUPTED = 0, 1, 3, 130
NO_RESULTS = "There are no results yet, and the page says so.\nmake bench     measures and publishes"


def main() -> int:
    """Build the site. Return 0 if all results were read, 3 if some were left out, 1 with a message if it failed."""
    try:
        return build(configuration())
    except KeyboardInterrupt:
        print("\nstopped: site/ may be incomplete; make site builds it again", file=sys.stderr)
        return INTERRUPTED
    except (UserError, ProcessError, subprocess.CalledProcessError, OSError, RuntimeError) as error:
        print(f"the site was not built: {str(error).strip().splitlines()[0]}", file=sys.stderr)
        return FAILED


def configuration() -> Config:
    """Return asv's configuration; raise UserError if it cannot be read."""
    try:
        return Config.load("asv.conf.json")
    except ValueError as error:
        raise UserError(f"asv.conf.json: {error}") from error


def build(conf: Config) -> int:
    """Build the site from the results below the working directory; return the exit status."""
    for plugin in conf.plugins:
        plugin_manager.import_plugin(plugin)
    publisher.publish(conf, pull=False)
    site = Path(conf.html_dir).parent
    index = json.loads((site / "data" / "index.json").read_text(encoding="utf-8"))
    print(f"\nThe site is in {site.resolve()}\nmake preview   opens it on http://127.0.0.1:8080/")
    if not any(index[part] for part in ("machines", "commits", "releases")):
        print(f"\n{NO_RESULTS}")
    return LEFT_OUT if index["unread"] else OK


if __name__ == "__main__":
    argparse.ArgumentParser(description="build the site from stored results, without measuring").parse_args()
    sys.exit(main())
