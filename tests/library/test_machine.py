"""A machine is its hardware: the same name wherever it stands, and another name for other hardware."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from jitkernels import machine

EPYC = {
    "vendor_id": "AuthenticAMD",
    "cpu family": "25",
    "model": "17",
    "model name": "AMD EPYC",
    "stepping": "1",
    "flags": "fpu sse2 avx avx2 avx512f",
}
GRAVITON = {
    "CPU implementer": "0x41",
    "CPU part": "0xd40",
    "CPU variant": "0x1",
    "CPU revision": "1",
    "Features": "fp asimd sve",
}


def test_a_name_says_vendor_family_model_stepping_vectors_and_cores() -> None:
    assert machine.identity_of(EPYC, 2) == "amd-25-17-1-avx512-2"
    assert machine.identity_of(GRAVITON, 4) == "arm-0xd40-0x1-1-sve-4"


@pytest.mark.parametrize("change", [{"model": "1"}, {"stepping": "2"}, {"flags": "avx avx2"}, {"vendor_id": "GenuineIntel"}])
def test_other_hardware_of_the_same_model_name_has_another_name(change: dict[str, str]) -> None:
    assert machine.identity_of(EPYC | change, 2) != machine.identity_of(EPYC, 2)
    assert machine.identity_of(EPYC, 2) != machine.identity_of(EPYC, 4)


def test_what_moves_on_the_same_hardware_leaves_the_name_as_it_is() -> None:
    moving = {"cpu MHz": "2600.0", "microcode": "0x1", "bogomips": "5200"}
    assert machine.identity_of(EPYC | moving, 2) == machine.identity_of(EPYC, 2)


def test_a_processor_that_is_described_by_its_model_name_alone_has_a_name() -> None:
    assert machine.identity_of({"model name": "Some CPU @ 3 GHz"}, 8) == "some-cpu-3-ghz-8"


def test_this_machine_has_a_name_that_a_file_can_have() -> None:
    assert machine.identity() == machine.slug(machine.identity())
    assert machine.identity().endswith(f"-{machine.cores()}")


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory whose nvidia-smi is the system's only one; kernels run on the GPU."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("JITKERNELS_DEVICE", "gpu")
    machine.gpu.cache_clear()
    yield tmp_path
    machine.gpu.cache_clear()


def test_a_gpu_s_results_are_not_filed_under_its_host(driver: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = driver / "nvidia-smi"
    program.write_text("#!/bin/sh\necho NVIDIA H100 80GB HBM3\necho NVIDIA L4\n")
    program.chmod(0o755)
    of_gpu, described = machine.identity(), machine.processor()
    monkeypatch.delenv("JITKERNELS_DEVICE")
    assert of_gpu == f"nvidia-h100-80gb-hbm3-{machine.identity()}"
    assert described == f"NVIDIA H100 80GB HBM3, host {machine.processor()}"


@pytest.mark.parametrize("driver_says", [None, "exit 9"])
def test_a_gpu_that_no_driver_names_is_a_gpu(driver: Path, driver_says: str | None) -> None:
    if driver_says:
        (driver / "nvidia-smi").write_text(f"#!/bin/sh\n{driver_says}\n")
        (driver / "nvidia-smi").chmod(0o755)
    assert machine.identity().startswith("gpu-")
