"""Measure cells, one process each, in the environment of a commit. Run by its path: here ``gate`` cannot be imported.

Standard input holds one request as JSON. What each cell's process says is added to the request's ``out``, a JSON line a
cell, as soon as it has ended. The suite is imported once, with what JITKERNELS_PRELOAD names; then every cell gets a fork
of its own: its memory and its compilers are untouched by the others, and an import of seconds is paid once.
"""

import contextlib
import io
import json
import math
import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from asv_runner._aux import update_sys_path
from asv_runner.benchmarks.mark import SkipNotImplemented
from asv_runner.discovery import disc_benchmarks, get_benchmark_from_name


def main():
    """Answer the request."""
    request = json.load(sys.stdin)
    root = request["suite"]
    update_sys_path(root)
    with Path(request["out"]).open("a") as out:
        if request.get("discover"):
            say(out, {"benchmarks": discovered(root)})
            return
        __import__(os.path.basename(root))
        imported = sys.modules.get(request["project"])
        if imported and not Path(imported.__file__).is_relative_to(request["library"]):
            sys.exit(f"{request['project']} came from {imported.__file__}, not from {request['library']}")
        for cell in request["cells"]:
            say(out, {"cell": cell["name"], **apart(root, cell, request["log"])})


def discovered(root):
    """Each benchmark's attributes that JSON can hold, by name."""
    found = {}
    for benchmark in disc_benchmarks(root):
        kept = {key: value for key, value in vars(benchmark).items() if not key.startswith("_") and is_plain(value)}
        found[benchmark.name] = kept
    return found


def is_plain(value):
    return value is None or isinstance(value, bool | int | float | str | list | tuple | dict)


def say(out, line):
    out.write(json.dumps(line) + "\n")
    out.flush()


def apart(root, cell, log):
    """What a process of the cell's own says; a crash or a time that is up is an answer too."""
    handle, answer = tempfile.mkstemp(prefix="gate-")
    os.close(handle)
    begin = time.monotonic()
    child = os.fork()
    if not child:
        in_child(root, cell, log, answer)
    status = waited(child, begin + cell["timeout"])
    try:
        if status is None:
            return {"outcome": "failed", "reason": f"timed out after {cell['timeout']:g} s"}
        text = Path(answer).read_text()
        if text:
            return {**json.loads(text), "seconds": time.monotonic() - begin}
        return {"outcome": "failed", "reason": f"its process ended with {ended(status)} and said nothing"}
    finally:
        os.unlink(answer)


def waited(child, until):
    """The child's wait status; None where the time was up and it had to be killed, with whatever it had started."""
    while time.monotonic() < until:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            return status
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def ended(status):
    code = os.waitstatus_to_exitcode(status)
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"


def in_child(root, cell, log, answer):
    """Never returns."""
    os.setpgid(0, 0)  # so that what this starts can be killed with it
    with Path(log).open("a") as sink:
        os.dup2(sink.fileno(), 1)
        os.dup2(sink.fileno(), 2)
    with contextlib.ExitStack() as stack:
        os.chdir(cell["directory"] or stack.enter_context(tempfile.TemporaryDirectory(prefix="gate-")))
        try:
            said = run(root, cell)
        except BaseException as error:
            traceback.print_exc()
            said = {"outcome": "failed", "reason": last_line(error)}
        Path(answer).write_text(json.dumps(said))
        sys.stdout.flush()
        sys.stderr.flush()
        os.chdir("/")
    os._exit(0)


def last_line(error):
    """What went wrong, of a text that may hold a traceback."""
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[-1]}"[:500]


def run(root, cell):
    """Seconds of each sample, or the one tracked value. Inside the clock: what the benchmark puts there."""
    benchmark = get_benchmark_from_name(root, cell["id"], extra_params=cell["attributes"])
    benchmark.set_cache(cached(benchmark))
    if cell.get("slower"):
        benchmark.func = slowed(benchmark.func, cell["slower"])
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        skipped = benchmark.do_setup()
    print(printed.getvalue(), end="")
    try:
        if skipped:
            return {"outcome": "skipped", "reason": why(printed.getvalue())}
        result = benchmark.do_run()
    except SkipNotImplemented as skip:
        return {"outcome": "skipped", "reason": str(skip)}
    finally:
        benchmark.do_teardown()
    if isinstance(result, dict):
        return {"outcome": "ok", "values": result["samples"], "number": result["number"]}
    if isinstance(result, bool | int | float) and math.isfinite(result):
        return {"outcome": "ok", "values": [result]}
    return {"outcome": "failed", "reason": f"its value is {result!r}, which is no finite number"}


def why(printed):
    """The reason of a skip, out of the line that asv_runner prints of it."""
    line = next((line for line in printed.splitlines() if line.startswith("asv: skipped: ")), "")
    return line.removeprefix("asv: skipped: ").strip().removeprefix("NotImplementedError(").removesuffix(")").strip("'\"")


def cached(benchmark):
    """What its setup_cache made, in the directory that is the current one."""
    if benchmark.setup_cache_key is None:
        return None
    kept = Path("cache.pickle")
    if not kept.exists():
        kept.write_bytes(pickle.dumps(benchmark.do_setup_cache()))
    return pickle.loads(kept.read_bytes())


def slowed(function, factor):
    """``function``, whose calls take ``factor`` times as long; what calibration measures the gate's power by."""

    def slow(*arguments):
        begin = time.perf_counter()
        answer = function(*arguments)
        until = begin + (time.perf_counter() - begin) * factor
        while time.perf_counter() < until:
            pass
        return answer

    return slow


if __name__ == "__main__":
    main()
