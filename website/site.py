"""make site: rebuild the whole site from stored results, without measuring.

Results are in ``results/`` (the repository's data set) and in asv's own directory. Neither is changed, except that records
of measuring processes are put beside asv's results. asv publishes a copy of all files that can be read. The other files are
named.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from asv.config import Config
from asv.plugin_manager import plugin_manager
from asv.runner import BENCHMARK_RUN_SCRIPT
from asv.util import ProcessError, UserError

from history.store import clean
from history.store import results as stored
from website import publisher
from website.read import commits

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
    site = Path(conf.html_dir).parent
    with publisher.readable_copy(conf) as copy:
        has_results = next(stored.files(copy), None) is not None
        if has_results:
            _publish(conf)
        else:  # asv cannot publish nothing
            publisher.write_site(conf, commits.read(Path(conf.repo)), {})
    print(f"\nThe site is in {site.resolve()}\nmake preview   opens it on http://127.0.0.1:8080/")
    if not has_results:
        print(f"\n{NO_RESULTS}")
    left_out = json.loads((site / "data" / "index.json").read_text(encoding="utf-8"))["unread"]
    for problem in left_out:
        print(f"left out {problem['file']}: {problem['reason']}", file=sys.stderr)
    return LEFT_OUT if left_out else OK


def _publish(conf: Config) -> None:
    if not (Path(conf.results_dir) / stored.BENCHMARKS).exists():
        _discover(conf)
    for plugin in conf.plugins:
        plugin_manager.import_plugin(plugin)
    publisher.publish(conf, pull=False)


def _discover(conf: Config) -> None:
    """Write asv's list of benchmarks, which asv itself writes only when it measures."""
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory, "benchmarks.json")
        subprocess.run([sys.executable, BENCHMARK_RUN_SCRIPT, "discover", conf.benchmark_dir, str(output)], check=True)
        listed = {benchmark["name"]: benchmark for benchmark in json.loads(output.read_text(encoding="utf-8"))}
    content = json.dumps({**listed, "version": clean.LIST_FORMAT})
    (Path(conf.results_dir) / stored.BENCHMARKS).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    argparse.ArgumentParser(description="build the site from stored results, without measuring").parse_args()
    sys.exit(main())
