"""The matrix of all kernels and backends: whose time or reason is in a cell."""

import json
import math

from site_files import PI, add_run, matrix_of, processes
from synthetic import History, row, warm

NAN = math.nan


def test_a_matrix_has_a_number_or_a_reason_in_every_cell(real: History) -> None:
    (file,) = (real.path / "site" / "data").glob("*/matrix.json")
    content = json.loads(file.read_text())
    assert [len(line) for line in content["cells"]] == [len(content["columns"])] * len(content["rows"])
    for cell in (cell for line in content["cells"] for cell in line):
        assert cell["seconds"] is not None or cell["reason"]


def test_a_matrix_has_the_run_s_times_and_ranks_where_its_size_has_a_run(history: History) -> None:
    history.describe(PI)
    history.add(2, {PI["name"]: row(PI, [4.0, 1.0, 2.0, 3.0])})
    seconds = {"numpy": processes(9.0), "numba": processes(5.0), "c": processes(5.01)}
    add_run(history.results / "vm", seconds, empty={"triton": "there is no GPU"})
    history.read()
    cells = matrix_of(history, "vm")
    assert [cells[name]["seconds"] for name in ("numpy", "numba", "c", "jax")] == [9.0, 5.0, 5.01, 3.0]
    assert [cells[name]["rank"] for name in ("numpy", "numba", "c", "jax")] == [3, 1, 1, None]
    assert [name for name, cell in cells.items() if cell["in_run"]] == ["numpy", "c", "numba"]
    assert (cells["triton"]["reason"], "measured in the run" in cells["torch_aot"]["reason"]) == ("there is no GPU", True)


def test_a_matrix_takes_a_size_with_a_run_unless_half_of_the_backends_lack_it(history: History) -> None:
    sized = warm("philox_pi", ["numpy", "c", "numba", "jax"], [1000, 2000])
    history.describe(sized)
    history.add(2, {sized["name"]: row(sized, [8.0, NAN, 4.0, NAN, 2.0, NAN, 1.0, NAN])})
    add_run(history.results / "vm", {"numpy": processes(9.0), "numba": processes(5.0)}, size=2000)
    history.read()
    assert {cell["size"] for cell in matrix_of(history, "vm").values()} == {1000}, "two of four have the run's size"
    add_run(history.results / "vm", {name: processes(5.0) for name in ("numpy", "numba", "c")}, size=500)
    history.read()
    cells = matrix_of(history, "vm")
    assert [cells[name]["size"] for name in ("numpy", "numba", "c", "jax")] == [500, 500, 500, 1000]
    assert [cells[name]["in_run"] for name in ("numpy", "numba", "c", "jax")] == [True, True, True, False]
