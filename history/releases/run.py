"""A run of the ladder: measure release by release, and the reference release in between."""

import time
from collections import Counter
from dataclasses import dataclass
from typing import Any

from benchmarks import _selection as selection
from benchmarks._launch import OWN_CACHES, backend_of, caches_of
from history.errors import require_free
from history.releases import index
from history.releases.environments import CannotMeasureError, Environments, ReleaseEnvironment, mismatch
from history.releases.table import Compiler, Release
from history.slices import THREE_PROCESSES, all_cases, by_backend, runs
from history.store import records
from history.store.records import BEGUN, FAILED, OK, now
from history.store.results import is_number
from jitkernels.quantities import minutes

TURN = 4  # releases between two measurements of the reference: at most half an hour of drift


@dataclass
class LadderRun:
    """again: measure releases that have results too."""

    environments: Environments
    again: bool = False

    def measure_compiler(self, compiler: Compiler, releases: list[Release]) -> set[str]:
        """Measure a compiler's releases that have no results. Return the versions that could not be measured."""
        todo = [release for release in releases if self.again or not self.is_measured(compiler, release)]
        print(f"{compiler.name}: {len(todo)} of {len(releases)} releases to measure", flush=True)
        for release in releases:
            before = self.environments.of(release).outcome()
            if before and before["status"] == FAILED and release not in todo:
                print(f"    {release} failed before ({before['reason']}); AGAIN=1 tries it again")
        if not todo:
            return set()
        reference, failed, start = compiler.reference(), set[str](), time.monotonic()
        for place, release in enumerate(todo):
            if place % TURN == 0:
                self.measure_reference(compiler, reference)
            print(f"[{place + 1:2}/{len(todo)}] {release}, {minutes(time.monotonic() - start)} since the start", flush=True)
            require_free(compiler.space(release), "the next release")
            if not self.measure(compiler, release):
                failed.add(release.version)
            if release != reference:
                self.environments.remove(self.environments.of(release))
        self.measure_reference(compiler, reference)
        self.environments.remove(self.environments.of(reference))
        return failed

    def is_measured(self, compiler: Compiler, release: Release) -> bool:
        """True if the release failed, or was measured with as many benchmark cases as are selected now."""
        outcome = self.environments.of(release).outcome()
        if outcome is None or outcome["status"] != OK:
            return outcome is not None
        return sum(outcome.get("cells", {}).values()) >= len(selection.of_release(all_cases(), compiler.backends))

    def measure(self, compiler: Compiler, release: Release) -> bool:
        """Measure a release and record its outcome. Return False if it could not be measured."""
        environment = self.environments.of(release)
        line: dict[str, Any] = {
            "environment": environment.name,
            "compiler": compiler.name,
            "package": compiler.package,
            "release": release.version,
            "published": str(release.published),
            "requirements": release.requirements,
            "began": now(),
        }
        try:
            environment.add_outcome({**line, **self.measure_cases(compiler, environment, line)})
        except CannotMeasureError as error:
            index.require(release, self.environments.python)
            print(f"    failed: {error}", flush=True)
            environment.add_outcome({**line, "status": FAILED, "reason": str(error)})
            return False
        return True

    def measure_cases(self, compiler: Compiler, environment: ReleaseEnvironment, line: dict[str, Any]) -> dict[str, Any]:
        """Measure a release's benchmark cases and return the rest of its line. Raises CannotMeasureError."""
        installed = environment.create()
        environment.add_outcome({**line, "status": BEGUN})
        cases = selection.of_release(all_cases(), compiler.backends)
        self.run(environment, cases)
        before = None if self.again else environment.outcome()
        afresh = [*(before.get("afresh", []) if before else []), *self.run_afresh(environment, cases)]
        self.require_release(compiler, environment, cases)
        counts = Counter(map(_word, environment.values(cases).values()))
        print(f"    {', '.join(f'{number} {word}' for word, number in sorted(counts.items()))}", flush=True)
        return {"status": OK, "installed": installed, "cells": dict(counts), "afresh": afresh}

    def measure_reference(self, compiler: Compiler, reference: Release) -> None:
        """Measure the reference release again. If that fails, print so and go on with the ladder."""
        environment, began = self.environments.of(reference), now()
        print(f"    reference: {reference}", flush=True)
        try:
            environment.create()
            cases = selection.of_drift(all_cases(), compiler.backends)
            with environment.preserved():  # its stored results are from another time
                self.run(environment, cases, anew=True)
                figures = environment.figures(cases)
        except CannotMeasureError as error:
            index.require(reference, self.environments.python)
            print(f"    the reference failed, so drift cannot be seen: {error}", flush=True)
            return
        names = {"compiler": compiler.name, "release": reference.version, "environment": environment.name}
        line = {**names, "began": began, "cells": figures, "commit": environment.commit}
        records.append(environment.result_file.with_name(records.DRIFT), "reference", line)

    def run_afresh(self, environment: ReleaseEnvironment, cases: list[str]) -> list[str]:
        """Run failed cases again without the compiler's cache. Return those that then have a number.

        The only fault may be a program that another process left in the cache.
        """
        values = environment.values(cases)
        failed = [case for case, value in values.items() if value is None and caches_of(case) != OWN_CACHES]
        if not failed:
            return []
        print("    once more, without the compiler's cache:", flush=True)
        self.run(environment, failed, share=False)
        return [case for case, value in environment.values(failed).items() if is_number(value)]

    def run(self, environment: ReleaseEnvironment, cases: list[str], anew: bool = False, share: bool = True) -> None:
        """Have asv measure the benchmark cases that have no number, or all of them.

        asv runs once per backend, because it stores results when a run ends. share: as in ``slices.runs``.
        """
        values = {} if anew or self.again else environment.values(cases)
        todo = [case for case in cases if not is_number(values.get(case))]
        for backend, group in by_backend(todo):
            print(f"    {backend}: {len(group)} benchmark cases", flush=True)
            for options, variables in runs(backend, group, THREE_PROCESSES, share):
                status = environment.run(*options, variables=variables)
                if status not in (0, 2):  # 2: a case failed, and its record says so
                    raise CannotMeasureError(f"asv ended with {status}: {environment.last_error()}")

    def require_release(self, compiler: Compiler, environment: ReleaseEnvironment, cases: list[str]) -> None:
        """If a process did not measure the release itself, remove the results and raise CannotMeasureError."""
        of_compiler = [case for case in cases if backend_of(case) in compiler.backends]
        packages = environment.packages()
        packages = {backend: installed for backend, installed in packages.items() if backend in compiler.backends}
        if not packages and any(map(is_number, environment.values(of_compiler).values())):
            raise CannotMeasureError("no process that measured said what it had")
        for backend, installed in packages.items():
            required = {name: each for name, each in environment.release.requirements.items() if name in installed}
            wrong = mismatch(required, installed)
            if wrong or compiler.package not in required:
                environment.forget()
                raise CannotMeasureError(f"{backend} was measured with something else: {wrong or compiler.package}")


def _word(value: float | None) -> str:
    return "failed" if value is None else "measured" if is_number(value) else "empty"
