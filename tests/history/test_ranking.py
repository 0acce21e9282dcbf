"""make ranking: the rounds of a run, what is kept of it when it is stopped, and the lines that it stores."""

import functools
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from synthetic import ROOT, History

from benchmarks import _selection as selection
from duet import BenchmarkCase, Side, SideError
from duet.alone import Measure
from duet.samples import Measurement
from history import head, ranking
from history.ranking import Run
from history.store import rankings
from jitkernels import kernels
from jitkernels.machine import cores, identity
from jitkernels.measure import roof

SECONDS = {"c": 1.0, "jax": 2.0, "numba": 4.0}
ABOUT = {"machine": "vm", "processor": "A processor", "cores": 2, "commit": "c" * 40, "python": "3.11.2", "requirements": {}}
Stop = Callable[[str, int], bool]


def warm(backend: str, kernel: str = "philox_pi") -> BenchmarkCase:
    name = f"{kernel}.Warm.time_call('{backend}', 1000)"
    return BenchmarkCase(name, name, {})


class Processes:
    """Stands in for ``duet.alone``: jax has two threads and takes half as long again with one; triton is skipped."""

    def __init__(self, measured: list[tuple[int, str, str]], stops: Stop) -> None:
        self.measured, self.stops, self.round = measured, stops, 0

    def __call__(self, *arguments: Any) -> "Processes":
        self.round += 1
        return self

    def __enter__(self) -> Measure:
        return self.measure

    def __exit__(self, *error: object) -> None:
        pass

    def measure(self, case: BenchmarkCase, variables: Mapping[str, str]) -> Measurement:
        if self.stops(case.name, self.round):
            raise KeyboardInterrupt
        backend, limit = case.name.split("'")[1], variables["JITKERNELS_THREADS"]
        self.measured.append((self.round, case.name, limit))
        if backend == "triton":
            return Measurement("skipped", "there is no GPU")
        name = f"{variables['ASV_COMMIT']}/{variables['ASV_ENV_NAME']}.jsonl"
        file = Path(variables["ASV_CONF_DIR"], ".asv", "records", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        threads = int(limit or (2 if backend == "jax" else 1))
        lines = (
            {"said": "backend", "backend": backend, "packages": {}, "threads": threads, "device": "cpu"},
            {"said": "settled", "benchmark": "philox_pi.Warm", "cell": [backend, 1000]},
        )
        with file.open("a") as target:
            target.write("".join(json.dumps({"schema": 1, **line}) + "\n" for line in lines))
        seconds = SECONDS[backend] * (1.5 if limit and backend == "jax" else 1) + self.round / 100
        return Measurement("ok", "", [seconds, seconds, 1e9])


@pytest.fixture
def measured() -> list[tuple[int, str, str]]:
    """Round, case and limit of threads of each process."""
    return []


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, measured: list[tuple[int, str, str]]
) -> Callable[..., list[rankings.Line]]:
    """A function that measures a run of made-up processes, and returns its lines."""

    def run(
        rounds: int = 2,
        backends: Iterable[str] = ("c", "jax", "numba", "triton"),
        stops: Stop = lambda case, round: False,
        **differs: Any,
    ) -> list[rankings.Line]:
        monkeypatch.setattr(ranking, "alone", Processes(measured, stops))
        cases = [warm(backend) for backend in backends]
        side = Side("head", "python", None, tmp_path)
        return Run(side, cases, {**ABOUT, **differs}, tmp_path, "2026-11-22T10:00:00Z").measure(rounds)

    return run


def test_each_backend_gets_a_process_a_round_and_another_with_one_thread_where_it_has_several(
    run: Any, measured: list[tuple[int, str, str]]
) -> None:
    run(rounds=3)
    counts = Counter((case.split("'")[1], limit) for _, case, limit in measured)
    assert counts == {("c", ""): 3, ("jax", ""): 3, ("jax", "1"): 3, ("numba", ""): 3, ("triton", ""): 1}


def test_the_order_of_backends_changes_from_round_to_round(run: Any, measured: list[tuple[int, str, str]]) -> None:
    run(rounds=40)
    orders = {tuple(case for number, case, _ in measured if number == each) for each in range(2, 41)}
    assert len(orders) > 1  # of six: all rounds alike once in 6 ** 38


def test_a_line_has_the_median_sample_of_each_process_the_threads_and_what_is_empty(run: Any) -> None:
    own, one = run()
    assert (own["kernel"], own["size"], own["threads"], own["began"]) == ("philox_pi", 1000, None, "2026-11-22T10:00:00Z")
    assert own["cells"]["jax"] == {"seconds": [2.01, 2.02], "threads": 2, "settled": True}
    assert own["cells"]["c"] == {"seconds": [1.01, 1.02], "threads": 1, "settled": True}
    assert own["empty"] == {"triton": "there is no GPU"}
    assert "cases" not in own
    assert (one["threads"], one["cells"]["jax"]["seconds"], one["cells"]["jax"]["threads"]) == (1, [3.01, 3.02], 1)
    assert one["cells"]["c"] == own["cells"]["c"]


def test_a_cell_has_the_roof_of_its_threads_where_the_kernel_has_a_cost(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    dense = kernels.load("dense")
    assert dense.cost
    arrays = dense.array_bytes(1000)
    monkeypatch.setattr(roof, "flop_rate", lambda threads: 100.0 * threads)
    monkeypatch.setattr(roof, "byte_rate", lambda threads, length: {arrays: 1e9 * threads}[length])
    monkeypatch.setattr(sys.modules[__name__], "warm", functools.partial(warm, kernel="dense"))
    own, one = run()
    roofs = [own["cells"]["jax"]["roof"], own["cells"]["c"]["roof"], one["cells"]["jax"]["roof"]]
    assert [each["flop_per_second"] for each in roofs] == [200.0, 100.0, 100.0], "two threads, one, and one"
    assert [each["bytes_per_second"] for each in roofs] == [2e9, 1e9, 1e9]
    assert {each["flop"] for each in roofs} == {dense.cost(1000)[0]}


def test_the_roof_is_measured_after_each_round(
    run: Any, measured: list[tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds = set[int]()
    monkeypatch.setattr(roof, "flop_rate", lambda threads: rounds.add(measured[-1][0]) or 1.0)
    monkeypatch.setattr(roof, "byte_rate", lambda threads, length: 1.0)
    monkeypatch.setattr(sys.modules[__name__], "warm", functools.partial(warm, kernel="dense"))
    run(rounds=3)
    assert rounds == {1, 2, 3}


def test_a_kernel_without_threads_has_one_line(run: Any) -> None:
    assert [line["threads"] for line in run(backends=("c", "numba"))] == [None]


def test_a_stopped_run_goes_on_after_its_last_complete_round(run: Any, measured: list[tuple[int, str, str]]) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(rounds=3, stops=lambda case, round: round == 2 and len(measured) > 7)
    before = len(measured)
    own, _ = run(rounds=3)
    assert {number for number, *_ in measured[before:]} == {1, 2}, "two rounds were missing"
    assert own["cells"]["c"]["seconds"] == [1.01, 1.01, 1.02]


def test_a_round_whose_line_is_cut_is_measured_again_and_the_others_count(
    run: Any, measured: list[tuple[int, str, str]], tmp_path: Path
) -> None:
    run(rounds=3)
    file, before = tmp_path / "rounds.jsonl", len(measured)
    file.write_text(file.read_text()[:-20])
    own, _ = run(rounds=3)
    assert {number for number, *_ in measured[before:]} == {1}, "one round was missing"
    assert own["cells"]["c"]["seconds"] == [1.01, 1.02, 1.01]


def test_a_run_of_another_commit_does_not_go_on_with_it(run: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(stops=lambda case, round: round == 2)
    own, _ = run(rounds=1, commit="d" * 40)
    assert own["cells"]["c"]["seconds"] == [1.01]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a commit whose build and environment are those of this process."""
    repository = History(tmp_path / "repository").path
    monkeypatch.chdir(repository)
    monkeypatch.setattr(head, "asv_environment", lambda *_: (sys.executable, {"numpy": "2"}))
    monkeypatch.setattr(head, "side", lambda *_: Side("head", sys.executable, None, ROOT / "benchmarks"))
    return repository


def test_real_processes_are_measured_and_stored(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(selection, "RANKING", [r"^philox_pi\.Warm\.time_call\('(python|numpy|c)', 1000\)$"])
    monkeypatch.setattr(sys, "argv", ["ranking", "--rounds", "2"])
    assert ranking.main() == ranking.DONE
    own, *others = rankings.read(repository / ".asv" / "results", [])
    assert {backend: len(cell["seconds"]) for backend, cell in own["cells"].items()} == {"python": 2, "numpy": 2, "c": 2}
    assert all(0 < seconds < 1 for cell in own["cells"].values() for seconds in cell["seconds"])
    assert (own["cells"]["c"]["threads"], own["empty"], own["machine"]) == (1, {}, identity())
    assert [line["cells"]["numpy"]["threads"] for line in others] == ([1] if cores() > 1 else [])
    assert own["requirements"].keys() == {"numpy"}
    assert "philox_pi at 1,000, ms: 1 c" in capsys.readouterr().out
    assert not (repository / ".asv" / "ranking" / "rounds.jsonl").exists(), "the next run begins anew"


def test_a_side_that_cannot_be_made_is_reported_in_a_line(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise SideError("no environment")

    monkeypatch.setattr(head, "asv_environment", fail)
    monkeypatch.setattr(sys, "argv", ["ranking"])
    assert (ranking.main(), capsys.readouterr().err) == (ranking.FAILED, "no environment\n")


@pytest.mark.parametrize("rounds", ["0", "-1"])
def test_fewer_rounds_than_one_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rounds: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["ranking", "--rounds", rounds])
    with pytest.raises(SystemExit) as end:
        ranking.main()
    assert (end.value.code, capsys.readouterr().err.splitlines()[-1]) == (
        2,
        f"ranking: error: --rounds: must be 1 or more, not {rounds}",
    )
