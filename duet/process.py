"""A process that measures benchmark cases of one side; the folder ``child`` is the program that runs in it."""

import contextlib
import json
import os
import select
import subprocess
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Unpack

from duet.cases import BenchmarkCase, cases_of
from duet.child import Answer, CaseFields, CaseRequest, SuiteRequest, TurnRequest, orphans
from duet.sides import Side, SideError

PROGRAM = Path(__file__).with_name("child")
LONGEST_IMPORT = 120.0  # seconds: ten times what the slowest framework takes
TIMEOUT = 180.0  # seconds, if the benchmark does not say
GRACE = 60.0  # seconds beyond a timeout, in which the process ends what it measures
DIED = "the process that should have measured it died"
UNANSWERED = "the process that measures gave no answer"


class Child:
    """A process of a side. It starts to import the suite at once. The end of its ``with`` block ends it and all processes
    that it started. ``reason``: why it no longer answers."""

    reason = DIED
    _timeout = TIMEOUT  # of the case that it measures

    def __init__(
        self, side: Side, log: Path, variables: Mapping[str, str], core: int | None = None, discover: bool = False
    ) -> None:
        """log: gets its output. variables: for its environment. core: for it and its forks; None: all cores. discover: it
        answers with the suite's benchmarks and ends. Raises SideError."""
        self.side, self.core, self._family = side, core, uuid.uuid4().hex
        reading, writing = os.pipe()
        command = [side.python, str(PROGRAM), str(writing)]
        environment = side.environment({**variables, orphans.NAME: self._family})
        try:
            with log.open("a") as output:
                self._process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=output,
                    text=True,
                    env=environment,
                    cwd=log.parent,
                    pass_fds=[writing],
                )
        except OSError as error:
            os.close(reading)
            raise SideError(f"{side.python} does not start: {error}") from error
        finally:
            os.close(writing)
        assert self._process.stdin
        self._requests: IO[str] = self._process.stdin
        self._answers = os.fdopen(reading)
        library = str(side.library) if side.library else None
        self.request({"suite": str(side.suite), "library": library, "discover": discover, "log": str(log), "core": core})

    def __enter__(self) -> "Child":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """End the process; after an error at once, together with the fork that measures."""
        if kind:
            self._process.terminate()
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        try:
            self._process.wait(orphans.PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        orphans.end_all(lambda: orphans.alive(self._family))
        self._answers.close()

    def first_answer(self) -> Answer | None:
        """Wait for the import of the suite; None if the process has died. It is killed after LONGEST_IMPORT."""
        return self._next(LONGEST_IMPORT, f"the import of its suite and framework had not ended after {LONGEST_IMPORT:g} s")

    def request(self, request: SuiteRequest | CaseRequest | TurnRequest) -> None:
        """Send a line without waiting. If the process has died, ``answer`` shows it."""
        with contextlib.suppress(BrokenPipeError):
            print(json.dumps(request), file=self._requests, flush=True)

    def request_case(self, case: BenchmarkCase, *others: BenchmarkCase, **fields: Unpack[CaseFields]) -> None:
        """Have it measure a case, by default once, and ``others`` in the same process."""
        self._timeout = case.attributes.get("timeout") or TIMEOUT
        self.request({"id": case.id, "others": [each.id for each in others], "timeout": self._timeout, **fields})

    def answer(self) -> Answer | None:
        """Wait for the answer to the last request; None if the process has died. It times cases out itself; where it cannot,
        it is killed: a case may have stopped it."""
        limit = self._timeout + GRACE
        return self._next(limit, f"{UNANSWERED} for {limit:g} s")

    def _next(self, limit: float, reason: str) -> Answer | None:
        if not select.select([self._answers], [], [], limit)[0]:
            self.reason = reason
            self._process.kill()
        line = self._answers.readline()
        return json.loads(line) if line else None


def discover(side: Side, log: Path) -> dict[str, BenchmarkCase]:
    """Return the benchmark cases of the side's suite by name; nothing is measured. Raises SideError."""
    with Child(side, log, {}, discover=True) as child:
        answer = child.first_answer()
    if answer is None:
        raise SideError(f"the suite of {side.name} cannot be imported: {child.reason}; {log} says why")
    return cases_of(answer["benchmarks"])
