"""How gates pass having measured nothing, and fail for what is not the change's: each way, on real commits."""

import re
from pathlib import Path

from laboratory import Laboratory

from gate import errors

KERNEL, SUITE = "jitkernels/kernels/philox_pi/numpy.py", "benchmarks/philox_pi.py"
NUMPY, C = (rf"^philox_pi\.Accuracy\.track_hits\('{backend}', 1000\)$" for backend in ("numpy", "c"))
WARM = r"^philox_pi\.Warm\.time_call\('numpy', 1000\)$"
NOVEL = """class Novel:
    def track_novelty(self):
        from jitkernels.errors import NOVELTY

        return NOVELTY
"""
DIES_TWICE = """import os
import numpy as np

if (deaths := len(os.listdir(DEATHS))) < 2:
    os.mkdir(os.path.join(DEATHS, str(deaths)))
    os._exit(9)
"""
UNAVAILABLE = "from jitkernels.errors import Unavailable\n\nraise Unavailable('gone fishing')\n"


def edited(laboratory: Laboratory, base: str, words: str) -> str:
    """A commit that changes nothing that is measured. Its library is built already: it is that of BASE."""
    return laboratory.changed(base, "README.md", "# ", f"# {words} ")


def test_a_device_that_is_not_there_leaves_too_little(laboratory: Laboratory, base: str) -> None:
    head = edited(laboratory, base, "on no device")
    code, findings = laboratory.judged(base, head, NUMPY, JITKERNELS_DEVICE="gpu")
    assert code == errors.TOO_LITTLE
    (finding,) = findings.values()
    assert (finding["kind"], "gpu" in finding["text"]) == ("skipped", True), "and the reason is said"


def test_a_budget_for_fewer_than_seven_pairs_is_too_little(laboratory: Laboratory, base: str) -> None:
    code, findings = laboratory.judged(base, edited(laboratory, base, "hardly measured"), WARM, "--budget", "0.02")
    (finding,) = findings.values()
    assert (code, finding["kind"]) == (errors.TOO_LITTLE, "too little")
    assert finding["text"].endswith("7 are needed")


def test_what_head_skips_lacks_or_gives_another_value_is_lost_and_what_it_adds_or_base_fails_at_is_measured(
    laboratory: Laboratory, base: str
) -> None:
    head = laboratory.changed(base, KERNEL, "import numpy as np\n", UNAVAILABLE)
    head = laboratory.changed(head, "benchmarks/_suite/exact.py", "track_z = ", "track_y = ")
    head = laboratory.changed(head, "benchmarks/_suite/exact.py", "[1_000, 10_000]", "[1_000, 100_000_000]")
    head = laboratory.changed(head, "jitkernels/errors.py", "class Unavailable", "NOVELTY = 7\n\n\nclass Unavailable")
    head = laboratory.changed(head, SUITE, "class Threads(", f"{NOVEL}\n\nclass Threads(")
    cases = ("track_hits('numpy', 1000)", "track_hits('c', 1000)", "track_hits('c', 10000)", "track_hits('c', 100000000)")
    cases += ("track_z('c', 1000)", "track_y('c', 1000)")
    bench = rf"^philox_pi\.Accuracy\.({'|'.join(map(re.escape, cases))})$|Novel"
    code, findings = laboratory.judged(base, head, bench)
    assert code == errors.LOST
    new = findings.pop("philox_pi.Novel.track_novelty")
    assert new["kind"] == "new" and "NOVELTY" in new["text"], "why BASE has none"
    kinds = {cell.rpartition("Accuracy.")[2]: finding["kind"] for cell, finding in findings.items()}
    assert kinds == dict(zip(cases, ("lost", "same", "lost", "same", "lost", "same"), strict=True))
    assert "gone fishing" in findings["philox_pi.Accuracy.track_hits('numpy', 1000)"]["text"]


def test_a_wrong_answer_is_wrong_and_a_benchmark_s_new_version_hides_nothing(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, KERNEL, "    return hits\n", "    return hits + 1\n")
    head = laboratory.changed(head, SUITE, "exact._Accuracy):\n", 'exact._Accuracy):\n    version = "2"\n')
    head = laboratory.changed(head, "jitkernels/kernels/philox_pi/__init__.py", '"hits": hits}', '"hits": hits + 1}')
    code, findings = laboratory.judged(base, head, f"{NUMPY}|{C}")
    numpy, c = (findings[f"philox_pi.Accuracy.track_hits('{backend}', 1000)"] for backend in ("numpy", "c"))
    assert (code, numpy["kind"], c["kind"], c["base"], c["head"]) == (errors.REGRESSION, "wrong", "worse", 782, 783)
    assert "783 hits, not 782" in numpy["text"]


def test_a_missing_python_is_an_error_of_the_infrastructure(laboratory: Laboratory, base: str) -> None:
    head = edited(laboratory, base, "without a Python")
    conf = laboratory.path / "asv.conf.json"
    conf.write_text(conf.read_text().replace('"matrix"', '"pythons": ["3.99"],\n    "matrix"'))
    answer = laboratory.gate(base, head, "--bench", C)
    assert answer.returncode == errors.INFRASTRUCTURE, answer.stderr
    assert "environment" in answer.stderr.splitlines()[-1]


def test_a_process_that_died_once_is_no_loss(laboratory: Laboratory, base: str, tmp_path: Path) -> None:
    deaths = tmp_path / "deaths"
    deaths.mkdir()
    head = laboratory.changed(base, KERNEL, "import numpy as np\n", DIES_TWICE.replace("DEATHS", repr(str(deaths))))
    code, findings = laboratory.judged(base, head, f"{NUMPY}|{WARM}")
    assert len(list(deaths.iterdir())) == 2, "the process of the figure, and the first one of the time"
    figure, time = (findings[f"philox_pi.{name}('numpy', 1000)"] for name in ("Accuracy.track_hits", "Warm.time_call"))
    assert figure["kind"] == "same", figure["text"]
    codes = {"too little": errors.TOO_LITTLE, "worse": errors.REGRESSION, "same": errors.PASSED, "better": errors.PASSED}
    assert code == codes[time["kind"]], time["text"]  # it may differ by chance
    assert figure["text"].endswith("not in new processes")
    assert time["text"].endswith("not in new processes") or time["kind"] == "worse"
