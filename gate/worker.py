"""Measure cells, one process each, in the environment of a commit. Run by its path: here ``gate`` cannot be imported.

Its argument is the number of an open file for what it says, standard input is what it is asked: lines of JSON. The first
names the suite. Then that is imported, with what JITKERNELS_PRELOAD names, and every other line is a cell, which gets a
fork of its own: its memory and its compilers are untouched by the others, and an import of seconds is paid once. A cell with
``turns``, which says how many of them are one of the suite's own samples, says when it is set up; each line that says
``turn`` has it measured once more, on the ``core`` it names, and a line that does not ends it. Between two cells, and
between a cell's turns, nothing runs here, so that another worker can measure undisturbed.
"""

import contextlib
import importlib.util
import io
import json
import math
import os
import pickle
import select
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from asv_runner._aux import update_sys_path
from asv_runner.benchmarks.mark import SkipNotImplemented
from asv_runner.discovery import disc_benchmarks, get_benchmark_from_name

LONG = 0.03  # seconds: a call that takes them warms the caches for itself


def main():
    """Answer until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that a cell's process ends with this one
    os.set_inheritable(int(sys.argv[1]), False)  # what a cell starts must not hold it open
    with os.fdopen(int(sys.argv[1]), "w") as out:
        suite = json.loads(sys.stdin.readline())
        root = suite["suite"]
        update_sys_path(root)
        if suite["discover"]:
            say(out, {"benchmarks": discovered(root)})
            return
        if suite["core"] is not None:  # before anything is imported: whoever counts cores finds one, and starts no thread
            os.sched_setaffinity(0, {suite["core"]})
        load(suite)
        say(out, {"ready": True})
        for cell in map(json.loads, iter(sys.stdin.readline, "")):
            say(out, {"cell": cell["name"], **apart(root, cell, suite["log"], out)})


def load(suite):
    """Import the suite, and make sure that it is the commit's library that it measures."""
    __import__(os.path.basename(suite["suite"]))
    imported = sys.modules.get(suite["project"])
    if imported and not Path(imported.__file__).is_relative_to(suite["library"]):
        sys.exit(f"{suite['project']} came from {imported.__file__}, not from {suite['library']}")


def discovered(root):
    """Each benchmark's attributes that JSON can hold, by name."""
    found = {}
    for benchmark in disc_benchmarks(root):
        known = {key: value for key, value in vars(benchmark).items() if not key.startswith("_")}
        found[benchmark.name] = {key: value for key, value in known.items() if is_plain(value)}
    return found


def is_plain(value):
    return isinstance(value, bool | int | float | str | list | tuple | dict | None)


def say(out, line):
    print(json.dumps(line), file=out, flush=True)


def apart(root, cell, log, out):
    """What a process of the cell's own says; a crash or a time that is up is an answer too."""
    begin = time.monotonic()
    reading, writing = os.pipe()
    held, release = os.pipe()
    child = os.fork()
    if not child:
        os.close(out.fileno())
        os.close(release)
        in_child(root, cell, log, writing, held if cell["turns"] else None)
    os.close(writing)
    os.close(held)
    said = None
    try:
        said = heard(reading, begin + cell["timeout"])
        while said and "outcome" not in said:
            say(out, said)
            asked = sys.stdin.readline()
            said = None
            if not asked:  # nobody wants the answer
                break
            with contextlib.suppress(BrokenPipeError):  # it has died
                os.write(release, asked.encode())
            said = heard(reading, time.monotonic() + cell["timeout"])
    finally:
        os.close(reading)
        os.close(release)
        status = buried(child, killed=said is None)
    if said is None:
        return {"outcome": "failed", "reason": f"timed out after {cell['timeout']:g} s"}
    if said:
        return {**said, "seconds": time.monotonic() - begin}
    return {"outcome": "failed", "reason": f"its process ended with {ended(status)} and said nothing"}


def heard(reading, until):
    """What comes; nothing where there will be no more; None where the time is up. Asleep meanwhile: looking at a clock now
    and then would be seen in what is measured."""
    if not select.select([reading], [], [], max(0, until - time.monotonic()))[0]:
        return None
    return json.loads(os.read(reading, 65536) or "{}")  # one write of a child, and shorter than that


def buried(child, killed):
    """The child's wait status. killed: at once, with whatever it had started."""
    if killed:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]


def ended(status):
    code = os.waitstatus_to_exitcode(status)
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"


def in_child(root, cell, log, writing, held):
    """Never returns. held: a file with a line for each turn; None where the cell is measured once, and does not wait."""
    os.setpgid(0, 0)  # so that what this starts can be killed with it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with Path(os.devnull).open() as nothing, Path(log).open("a") as sink:
        for number, file in enumerate((nothing, sink, sink)):  # not its parent's, where the gate asks
            os.dup2(file.fileno(), number)
    shared, own = cell["directory"], tempfile.TemporaryDirectory(prefix="gate-", ignore_cleanup_errors=True)
    with own as directory:
        os.chdir(shared or directory)
        try:
            said = run(root, cell, None if held is None else lambda said: may_go(said, writing, held))
        except BaseException as error:
            traceback.print_exc()
            said = {"outcome": "failed", "reason": last_line(error)}
        sys.stdout.flush()
        sys.stderr.flush()
        os.chdir("/")
    os.write(writing, json.dumps(said).encode())
    os._exit(0)


def may_go(said, writing, held):
    """Say it, and sleep until told whether there is another turn."""
    os.write(writing, json.dumps(said).encode())
    asked = os.read(held, 65536)
    if not asked:
        os._exit(1)  # who asked for it is gone
    told = json.loads(asked)
    if told.get("core") is not None:
        move(told["core"])
    return told.get("turn", False)


def move(core):
    """This process, with all its threads."""
    for thread in os.listdir("/proc/self/task"):
        with contextlib.suppress(ProcessLookupError):  # it has ended
            os.sched_setaffinity(int(thread), {core})


def last_line(error):
    """What went wrong, of a text that may hold a traceback."""
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[-1]}"[:500]


def run(root, cell, may_go):
    """Seconds of each sample, or the one tracked value. Inside the clock: what the benchmark puts there. may_go: is told
    what there is to say, and returns whether to measure once more; None where the cell takes no turns."""
    benchmark = get_benchmark_from_name(root, cell["id"], extra_params=cell["attributes"])
    benchmark.set_cache(cached(benchmark, cell["directory"]))
    fault = put(benchmark, cell["fault"]) if cell["fault"] else None
    printed = io.StringIO()
    begin = time.monotonic()
    with contextlib.redirect_stdout(printed):
        skipped = benchmark.do_setup()
    print(printed.getvalue(), end="")
    ready = time.monotonic()
    try:
        if skipped:
            return {"outcome": "skipped", "reason": why(printed.getvalue())}
        result, seconds = in_turns(benchmark, may_go, cell["turns"]) if may_go else timed(benchmark)
    except SkipNotImplemented as skip:
        return {"outcome": "skipped", "reason": str(skip)}
    finally:
        benchmark.do_teardown()
    spent = {"setup": ready - begin, "run": seconds}
    if isinstance(result, dict):
        return {"outcome": "ok", "values": result["samples"], "number": result["number"], **spent}
    if isinstance(result, bool | int | float) and math.isfinite(result):
        return {"outcome": "ok", "values": [fault(result) if fault else result], **spent}
    return {"outcome": "failed", "reason": f"its value is {result!r}, which is no finite number"}


def timed(benchmark):
    """What asv_runner says of it, and the seconds that it took."""
    begin = time.monotonic()
    return benchmark.do_run(), time.monotonic() - begin


def in_turns(benchmark, may_go, parts):
    """The same of a time, whose samples are taken turn by turn. parts: turns that have the calls of one of the suite's own
    samples; where the suite does not say how many those are, the first turn finds it."""
    samples, seconds, said = [], 0.0, {"set_up": True}
    number, warmup_time = benchmark.number and max(1, benchmark.number // parts), benchmark.warmup_time
    while may_go(said):
        warmed = warm(benchmark) if samples and samples[-1] < LONG else 0.0
        benchmark.number, benchmark.warmup_time = number, warmup_time  # setup, which asv runs before calls, undoes it
        result, spent = timed(benchmark)
        spent += warmed
        number, warmup_time = result["number"], 0
        samples += result["samples"]
        seconds += spent
        said = {"sample": result["samples"][-1], "seconds": spent}
    return {"samples": samples, "number": number}, seconds


def warm(benchmark):
    """Seconds of a call that is no sample: since the last one the other side's arrays have taken the caches."""
    benchmark.number, benchmark.warmup_time = 1, 0
    return timed(benchmark)[1]


def put(benchmark, fault):
    """Let the benchmark go wrong, as calibration asks; what is given back does the same to a tracked value."""
    spec = importlib.util.spec_from_file_location("faults", Path(__file__).with_name("faults.py"))
    faults = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(faults)
    return faults.put(benchmark, fault)


def why(printed):
    """The reason of a skip, out of the line that asv_runner prints of it."""
    line = next((line for line in printed.splitlines() if line.startswith("asv: skipped: ")), "")
    return line.removeprefix("asv: skipped: ").strip().removeprefix("NotImplementedError(").removesuffix(")").strip("'\"")


def cached(benchmark, shared):
    """What its setup_cache made. Where the directory is shared, it stays there for others, in the file that asv has too: a
    benchmark may take it as a sign that others will ask for what it works out."""
    if benchmark.setup_cache_key is None:
        return None
    if not shared:
        return benchmark.do_setup_cache()
    kept = Path("cache.pickle")
    if not kept.exists():
        kept.write_bytes(pickle.dumps(benchmark.do_setup_cache()))
    return pickle.loads(kept.read_bytes())


if __name__ == "__main__":
    main()
    os._exit(0)  # what a framework does at its end takes as long as a cell
