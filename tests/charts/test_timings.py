"""Reading the rows that ``jitkernels time --json`` printed."""

import json
import math
import re
from pathlib import Path

import pytest
from chart_rows import Row, built, timed

from jitkernels.charts import timings


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not the JSON that jitkernels time --json prints"),
        ('[{"kernel": "philox_pi", "backe', "is not the JSON"),
        ("\udcff", "is not text"),
        ("{}", "holds no list of rows"),
        ("[]", "holds no list of rows"),
        ("[1]", "row 1 is not a row of jitkernels time --json: it is not an object"),
        ('[{"kernel": "philox_pi"}]', "row 1 is not a row of jitkernels time --json: backend is None"),
        ([timed("c", 10, math.nan)], "NaN is not a finite number"),
        ([timed("c", 10, math.inf)], "Infinity is not a finite number"),
        (json.dumps([timed("c", 10, 1.5)]).replace("1.5,", "1e999,"), "1e999 is not a finite number"),
        ([timed("c", 10, -1.0)], "row 1 is not a row of jitkernels time --json: warm_seconds is -1.0"),
        ([timed("c", 10, 1.0), timed("c", -1, 1.0)], "row 2 is not a row of jitkernels time --json: size is -1"),
        ([timed("c", 10, 1.0, warm_quartiles=[1.0])], "warm_quartiles is [1.0]"),
        ([timed("c", 10, 1.0, warm_quartiles=["a", "b"])], "warm_quartiles is ['a', 'b']"),
        ([timed("c", 10, 1.0, warm_processes=5)], "warm_processes is 5"),
        ([timed("c", 10, 1.0, jit_first_calls=["a"])], "jit_first_calls is ['a']"),
        ([timed("c", 10, 1.0, stages=5)], "stages is 5"),
        ([timed("c", 10, 1.0, stages={"llvm": "long"})], "stages is {'llvm': 'long'}"),
        ([timed("c", 10, 1.0, device=["cpu"])], "device is ['cpu']"),
        ([timed("c", 10, 1.0, error="small")], "error is 'small'"),
    ],
)
def test_an_invalid_row_is_named_in_one_line(text: str | list[Row], complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(text if isinstance(text, str) else json.dumps(text), errors="surrogateescape")
    with pytest.raises(ValueError, match=re.escape(complaint)) as caught:
        timings.read(path, "philox_pi")
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_last_row_of_a_case_is_read_and_none_of_size_0(tmp_path: Path) -> None:
    """Two rows of one size have no slope, and a logarithmic axis has no 0."""
    forms = [built("c", "shared_object"), built("c", "another")]
    rows = [timed("c", 0, 1.0), timed("c", 10, 1.0), *forms, timed("c", 10, 2.0), timed("numpy", 10, 3.0)]
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(rows))
    assert timings.read(path, "philox_pi") == [rows[4], *forms, rows[5]]
