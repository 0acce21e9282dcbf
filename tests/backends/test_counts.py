"""Counts never swing: the same in two processes that run side by side."""

import functools
import getpass
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from jitkernels import Unavailable, prepare
from jitkernels.backends import assembly, caches
from jitkernels.measure import process

COUNTS = {  # what ``show`` says of each compiler's relu, beside the graphs and stages of its own
    "c": {"instructions", "code_bytes", "widest_vector_bits", "stack_loads", "stack_stores"},
    "numba": {"llvm_instructions", "assembly_instructions", "code_bytes", "widest_vector_bits", "stack_loads"},
    "jax": {"jaxpr_operations", "hlo_instructions", "fusions", "code_bytes", "widest_vector_bits", "stack_stores"},
    "tensorflow_xla": {"graph_operations", "hlo_instructions", "fusions", "code_bytes", "widest_vector_bits", "stack_loads"},
    "torch_inductor": {"graphs", "graph_breaks", "fx_operations", "aten_operations", "kernels", "code_bytes"},
    "triton": {"registers", "spilled_bytes", "stack_bytes", "ptx_instructions", "sass_instructions"},
}


def counted(backend: str, directory: Path) -> dict[str, int]:
    """relu's counts, from a new process with empty caches."""
    case = {"kernel": "relu", "backend": backend, "size": 100, "seed": 42}
    answer = process.ask_once("tasks.artifacts", case, caches.variables(directory) | {"TMPDIR": str(directory.parent)})
    if answer["status"] == "unavailable":
        raise Unavailable(answer["reason"])
    assert answer["status"] == "ok", answer["reason"]
    counts: dict[str, int] = answer["figures"]["counts"]
    return counts


@functools.cache
def counted_side_by_side(backend: str) -> tuple[dict[str, int], dict[str, int]]:
    """relu's counts from two processes, once for all tests. They share the temporary directory, and leave no files there.
    Inductor keeps its precompiled headers in a directory there: it gets the one that other tests fill, because compiling
    the headers takes seconds."""
    headers = f"torchinductor_{getpass.getuser()}"
    with tempfile.TemporaryDirectory() as directory, ThreadPoolExecutor() as pool:
        filled = Path(tempfile.gettempdir(), headers)
        filled.mkdir(exist_ok=True)
        Path(directory, headers).symlink_to(filled)
        one, another = pool.map(counted, (backend, backend), (Path(directory, "one"), Path(directory, "another")))
        left = {path.name for path in Path(directory).iterdir()} - {"__pycache__"}  # of AutoGraph's modules
        assert left <= {headers, "one", "another"}, "AutoGraph writes what it translates to files"
    return one, another


@pytest.mark.parametrize("backend", COUNTS)
def test_counts_are_the_same_in_processes_that_disturb_each_other(backend: str) -> None:
    one, another = counted_side_by_side(backend)
    assert one == another
    assert set(one) >= COUNTS[backend]
    assert all(isinstance(count, int) and count >= 0 for count in one.values())
    assert one.get("widest_vector_bits", 128) in (128, 256, 512), "a loop over an array is made of vectors"


def test_xla_that_has_read_its_flags_is_asked_in_a_process_of_its_own() -> None:
    case = prepare("relu", "tensorflow_xla", 100)
    case.check()  # XLA has compiled: this process's flags are read
    artifacts = case.artifacts()
    assert artifacts.counts == counted_side_by_side("tensorflow_xla")[0]
    assert "<" in artifacts.texts["assembly"] and "define " in artifacts.texts["llvm"]


def test_xla_s_machine_code_is_left_out_if_the_object_of_one_part_replaced_the_others(tmp_path: Path) -> None:
    for part in ("part_00", "part_01"):
        (tmp_path / f"module.run.ir-no-opt.{part}.ll").write_text(f"{part} in\n")
        (tmp_path / f"module.run.ir-with-opt.{part}.ll").write_text(f"{part} out\n")
    (tmp_path / "module.run.o").touch()
    artifacts = assembly.of_xla(tmp_path)
    assert artifacts.texts == {"unoptimized_llvm": "part_00 in\n\npart_01 in\n", "llvm": "part_00 out\n\npart_01 out\n"}
    assert artifacts.counts == {}


def test_what_triton_makes_of_philox_for_a_gpu_has_words_of_32_bits() -> None:
    """A GPU would find the hits to be wrong; without one the program's products say which generator it is."""
    ptx = prepare("philox_pi", "triton", 1_000).artifacts().texts["ptx"]
    assert set(re.findall(r"mul\.hi\.\w+", ptx)) == {"mul.hi.u32"}
