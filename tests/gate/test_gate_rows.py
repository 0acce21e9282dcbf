"""How gates pass having measured nothing, and fail for what is not the change's: each way, on real commits."""

from pathlib import Path

import pytest
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
DIES = """import os
import numpy as np

if not os.path.exists(FLAG):
    os.mkdir(FLAG)
    os._exit(9)
"""
UNAVAILABLE = "from jitkernels.errors import Unavailable\n\nraise Unavailable('gone fishing')\n"


def edited(laboratory: Laboratory, base: str, words: str) -> str:
    """A commit that changes nothing that is measured."""
    return laboratory.changed(base, KERNEL, "def run(", f"# {words}\ndef run(")


def test_a_case_that_both_sides_skip_is_too_little(laboratory: Laboratory, base: str) -> None:
    skipping = laboratory.changed(base, KERNEL, "import numpy as np\n", UNAVAILABLE)
    code, findings = laboratory.judged(skipping, edited(laboratory, skipping, "skips too"), NUMPY)
    (finding,) = findings.values()
    assert (code, finding["kind"], "gone fishing" in finding["text"]) == (errors.TOO_LITTLE, "skipped", True)


def test_a_device_that_is_not_there_leaves_too_little(laboratory: Laboratory, base: str) -> None:
    head = edited(laboratory, base, "on no device")
    code, findings = laboratory.judged(base, head, NUMPY, JITKERNELS_DEVICE="gpu")
    assert code == errors.TOO_LITTLE
    assert {finding["kind"] for finding in findings.values()} == {"skipped"}, findings


def test_a_budget_for_fewer_than_seven_pairs_is_too_little(laboratory: Laboratory, base: str) -> None:
    code, findings = laboratory.judged(base, edited(laboratory, base, "hardly measured"), WARM, "--budget", "0.02")
    (finding,) = findings.values()
    assert (code, finding["kind"]) == (errors.TOO_LITTLE, "too little")
    assert finding["text"].endswith("7 are needed")


def test_a_parameter_that_has_another_value_is_lost(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, "benchmarks/_suite/exact.py", "[BACKENDS, [1_000, ", "[BACKENDS, [1_001, ")
    code, findings = laboratory.judged(base, head, r"^philox_pi\.Accuracy\.track_hits\('c', 100[01]\)$")
    assert code == errors.LOST
    assert {cell[-5:-1]: finding["kind"] for cell, finding in findings.items()} == {"1000": "lost", "1001": "same"}


def test_a_benchmark_s_new_version_hides_nothing(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, SUITE, "(_Accuracy):\n", '(_Accuracy):\n    version = "2"\n')
    head = laboratory.changed(head, "jitkernels/kernels/philox_pi/__init__.py", '"hits": hits}', '"hits": hits + 1}')
    code, findings = laboratory.judged(base, head, C)
    assert (code, [finding["kind"] for finding in findings.values()]) == (errors.REGRESSION, ["worse"])


def test_a_missing_python_is_an_error_of_the_infrastructure(laboratory: Laboratory, base: str) -> None:
    head = edited(laboratory, base, "without a Python")
    conf = laboratory.path / "asv.conf.json"
    conf.write_text(conf.read_text().replace('"matrix"', '"pythons": ["3.99"],\n    "matrix"'))
    answer = laboratory.gate(base, head, "--bench", C)
    assert answer.returncode == errors.INFRASTRUCTURE, answer.stderr
    assert "environment" in answer.stderr.splitlines()[-1]


def test_a_benchmark_that_fails_on_base_alone_is_new(laboratory: Laboratory, base: str) -> None:
    head = laboratory.changed(base, "jitkernels/errors.py", "class Unavailable", "NOVELTY = 7\n\n\nclass Unavailable")
    head = laboratory.changed(head, SUITE, "class Threads(", f"{NOVEL}\n\nclass Threads(")
    code, findings = laboratory.judged(base, head, rf"{C}|Novel")
    assert code == errors.PASSED, findings
    assert findings["philox_pi.Novel.track_novelty"]["kind"] == "new"
    assert "NOVELTY" in findings["philox_pi.Novel.track_novelty"]["text"], "why BASE has none"


@pytest.mark.parametrize("bench", [NUMPY, WARM])
def test_a_process_that_died_once_is_no_loss(laboratory: Laboratory, base: str, tmp_path: Path, bench: str) -> None:
    flag = tmp_path / "died"
    head = laboratory.changed(base, KERNEL, "import numpy as np\n", DIES.replace("FLAG", repr(str(flag))))
    code, findings = laboratory.judged(base, head, bench)
    assert flag.exists()
    (finding,) = findings.values()
    assert (code, finding["kind"]) == (errors.PASSED, "same"), finding["text"]
    assert finding["text"].endswith("not in new processes")


def test_asv_needs_no_description_of_the_machine(laboratory: Laboratory, base: str, tmp_path: Path) -> None:
    code, _ = laboratory.judged(base, edited(laboratory, base, "on a new machine"), C, HOME=str(tmp_path))
    assert code == errors.PASSED
