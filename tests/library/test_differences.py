"""What a wrong answer says: where, by how much, in units in the last place, and whether float32 explains it."""

from types import SimpleNamespace

import numpy as np
import pytest

from jitkernels import differences

TRUTH = np.linspace(0, 1, 12).reshape(3, 4)


def message(value: object, truth: object = TRUTH, **options: float) -> str:
    with pytest.raises(AssertionError) as wrong:
        differences.require_close(value, truth, **{"rtol": 1e-5, "atol": 0.0, **options})
    return str(wrong.value)


def test_a_wrong_entry_is_named_with_its_place_and_both_values() -> None:
    value = TRUTH.astype("float32")
    value[1, 2] += 0.25
    text = message(value)
    assert text.startswith(
        "the answer is 0.79545456 at [1, 2], the reference's 0.54545455: off by 0.25, 0.25 of the largest"
    )
    assert "1 of 12 entries are off by more than rtol 1e-05, atol 0 allow" in text
    assert "4,194,304 ulps of float32" in text  # 0.25 over 2^-24, float32's spacing from 1/2 to 1


def test_the_tolerance_is_that_of_the_largest_entry() -> None:
    value = TRUTH.copy()
    value[0, 0] = 0.9e-5  # a relative error without bound of its own entry, which is 0
    differences.require_close(value, TRUTH, rtol=1e-5, atol=0.0)
    differences.require_close(value + 1e-3, TRUTH, rtol=1e-5, atol=2e-3)
    assert "off by 0.001" in message(TRUTH + 1e-3)


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_a_narrow_dtype_explains_what_the_reference_in_it_is_off_by_too(dtype: str) -> None:
    asked: list[str] = []

    def narrow(name: str) -> object:
        asked.append(name)
        return TRUTH + 2e-3

    off = f"the reference itself is off by 0.002 in {dtype}"
    with pytest.raises(AssertionError, match=f"{dtype} explains it: {off}"):
        differences.require_close((TRUTH + 3e-3).astype(dtype), TRUTH, 1e-5, 0.0, narrow)
    with pytest.raises(AssertionError, match=f"{dtype} does not explain it: {off}"):
        differences.require_close((TRUTH + 3e-1).astype(dtype), TRUTH, 1e-5, 0.0, narrow)
    assert asked == [dtype, dtype]


def test_precision_explains_no_answer_in_float64_and_no_other_dtype_or_shape() -> None:
    for value in (TRUTH + 1.0, TRUTH.astype("int32"), TRUTH[:2].astype("float32")):
        with pytest.raises(AssertionError) as wrong:
            differences.require_close(value, TRUTH, 1e-5, 0.0, lambda dtype: TRUTH + 0.5)
        assert "explain" not in str(wrong.value)


@pytest.mark.parametrize(
    ("value", "truth", "text"),
    [
        (TRUTH[:2], TRUTH, "the shape of the answer is (2, 4), that of the reference (3, 4)"),
        (TRUTH > 0, TRUTH, "the dtype of the answer is bool, that of the reference float64"),
        (TRUTH.astype("int32"), TRUTH, "the dtype of the answer is int32, that of the reference float64"),
        ((TRUTH,), (TRUTH, 1.0), "the answer is 1 results, the reference's is 2 results"),
        (TRUTH, (TRUTH, 1.0), "the answer is a ndarray, the reference's is 2 results"),
        ({"a": 1.0}, {"a": 1.0, "b": 2.0}, "the answer is ['a'], the reference's has the entries ['a', 'b']"),
        ((1.0, {"x": 2.0}), (1.0, {"x": 3.0}), "the answer[1]['x'] is 2, the reference's 3: off by 1"),
        (float("nan"), 1.0, "the answer is nan, the reference's 1; 1 of 1 entries are NaN in one of them alone"),
        (float("inf"), 1.0, "the answer is inf, the reference's 1"),
    ],
)
def test_what_is_built_otherwise_is_named(value: object, truth: object, text: str) -> None:
    assert message(value, truth).startswith(text)


def test_what_agrees_raises_nothing() -> None:
    pairs = [
        (np.float32(np.nan), np.nan),
        (np.array([np.inf, 1.0]), np.array([np.inf, 1.0])),
        (TRUTH.astype("float32"), TRUTH),
        (np.arange(3, dtype="uint8"), np.arange(3)),
        (np.zeros((0, 3)), np.zeros((0, 3))),
        ([1, 2.0], (1, 2.0)),
        (1 + 2j, 1 + 2j),
    ]
    for value, truth in pairs:
        differences.require_close(value, truth, rtol=1e-6, atol=0.0)
        assert differences.largest(value, truth) < 1e-6


def test_a_list_of_numbers_is_an_array_where_the_other_is_one() -> None:
    array = np.linspace(0, 1, 10_000)
    for numbers in (list(array), array.tolist(), tuple(array)):
        for value, truth in ((array, numbers), (numbers, array)):
            differences.require_close(value, truth, rtol=1e-6, atol=0.0)
            assert differences.largest(value, truth) == 0.0
    differences.require_close(TRUTH, TRUTH.tolist(), rtol=1e-6, atol=0.0)
    wrong = array + (array == array[7])
    assert message(wrong, list(array)).startswith("the answer is 1.0007001 at [7], the reference's 0.00070007001: off by 1")
    assert message((1.0, wrong), (1.0, list(array))).startswith("the answer[1] is 1.0007001 at [7], ")
    assert message(np.arange(3) + 2**60, [2**60, 2**60 + 1, 2**60 + 3]).startswith(
        "the answer is 1152921504606846978 at [2]"
    )


@pytest.mark.parametrize(
    ("numbers", "array"),
    [
        ([], np.empty(0, "int64")),
        ([2**63 + 1, 7], np.array([2**63 + 1, 7], "uint64")),
        ([True, False], np.array([True, False])),
    ],
)
def test_a_list_s_dtype_is_that_of_the_other_answer(numbers: list[int], array: object) -> None:
    for value, truth in ((array, numbers), (numbers, array)):
        differences.require_close(value, truth, rtol=0.0, atol=0.0)
        assert differences.largest(value, truth) == 0.0


def test_a_list_keeps_what_the_other_s_dtype_cannot_hold() -> None:
    assert "off by 4,294,967,296" in message(np.array([1], "int32"), [2**32 + 1])
    assert "the dtype of the answer is int64" in message(np.array([1, 2]), [1.0, 2.5])


def test_an_overflow_of_the_inputs_dtype_is_named() -> None:
    value, truth = np.array([np.inf], "float32"), np.array([1e50])
    with pytest.raises(AssertionError, match="float32 explains it: in it the reference itself is infinite or NaN"):
        differences.require_close(value, truth, 1e-6, 0.0, lambda dtype: value)


@pytest.mark.parametrize("truth", [[1.0, 2.0], [1.0, TRUTH, 2.0], [1.0, [2.0], 3.0], ["1", "2", "3"]])
def test_results_of_another_number_or_kind_are_no_array(truth: object) -> None:
    assert message(np.arange(3.0), truth).startswith(f"the answer is a ndarray, the reference's is {len(truth)} results")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "nothing (None)"),
        ("text", "a str"),
        ((x for x in ()), "a generator, which has computed nothing"),
        ((1.0, [None]), "nothing (None)"),
        (np.array([None]), "an array of dtype object"),
        (np.array([1, 2], "M8[s]"), "an array of dtype datetime64[s]"),
        (np.array([(1, 2.0)], "i4,f8"), "an array of dtype [('f0', '<i4'), ('f1', '<f8')]"),
        (np.ma.masked_less(TRUTH, 0.5), "a masked array"),
        (SimpleNamespace(dtype=TRUTH.dtype, shape=(3, 4), nnz=5), "a SimpleNamespace: return arrays"),  # as SciPy's sparse
        (SimpleNamespace(dtype=TRUTH.dtype, shape=(3, 4), __dask_graph__=None), "a SimpleNamespace, which has computed"),
    ],
)
def test_an_answer_that_is_no_number_is_refused(answer: object, words: str) -> None:
    with pytest.raises(AssertionError) as refused:
        differences.require_numbers(answer)
    assert str(refused.value).startswith(f"it returned {words}")


def test_entries_that_are_nan_are_counted_in_every_part_of_an_answer() -> None:
    assert differences.count_nan(({"x": np.array([np.nan, 1.0, np.nan])}, float("nan"), 3, np.array([True]))) == 3


def test_a_changed_argument_is_named() -> None:
    before = (np.zeros(3), 4, np.array([np.nan]))
    differences.require_same((np.zeros(3, "float32"), 4, np.array([np.nan])), before)
    with pytest.raises(AssertionError, match="it changed its argument 0 in place"):
        differences.require_same((np.ones(3), 4, np.array([np.nan])), before)


INDICES = np.arange(0, 1_000_000, 10)
BEYOND_FLOAT64 = 2**53 + 1


@pytest.mark.parametrize(
    ("value", "truth", "text"),
    [
        (INDICES - 9, INDICES, "the answer is -9 at [0], the reference's 0: off by 9; 100,000 of 100,000 entries are off"),
        (INDICES + (INDICES == 20), INDICES, "the answer is 21 at [2], the reference's 20: off by 1; 1 of 100,000 entries"),
        (BEYOND_FLOAT64 - 1, BEYOND_FLOAT64, "the answer is 9007199254740992, the reference's 9007199254740993: off by 1"),
        (2**70 + 1, 2**70, "the answer is 1180591620717411303425, the reference's 1180591620717411303424: off by 1"),
        (np.array([2**64 - 1], "uint64"), np.array([-1]), "the answer is 18446744073709551615 at [0], the reference's -1: "),
        (np.array([-(2**63)]), np.array([2**63 - 1]), "the answer is -9223372036854775808 at [0], the reference's 92233720"),
        (TRUTH > 0.5, TRUTH > 0.1, "the answer is False at [0, 2], the reference's True: off by 1; 4 of 12 entries are off"),
    ],
)
def test_whole_numbers_and_booleans_are_compared_exactly(value: object, truth: object, text: str) -> None:
    assert message(value, truth, rtol=0.1).startswith(text)
    assert message(value, truth).endswith("more than atol 0 allows, which is what counts for whole numbers")
    assert differences.largest(value, truth) > 0


def test_a_narrower_whole_number_is_named() -> None:
    assert message(np.array([-1], "int32"), np.array([2**31])).endswith("whole numbers (int32, the reference's are int64)")
    words = "whole numbers (by a multiple of 2^32: it overflowed 32 bits; jax_enable_x64 gives JAX 64)"
    assert message(-(2**31), 2**31).endswith(words)


def test_the_precision_of_the_inputs_explains_whole_numbers() -> None:
    asked: list[str] = []

    def narrow(name: str) -> object:
        asked.append(name)
        return INDICES + 1

    off = "the inputs' dtype explains it: the reference itself is off by 1e-06 in the inputs' dtype"
    with pytest.raises(AssertionError, match=off):
        differences.require_close(INDICES + 2, INDICES, 0.0, 0.0, narrow)
    assert asked == [""]


def test_a_whole_number_may_be_larger_than_any_of_float64() -> None:
    assert differences.largest(10**400, 10**400) == 0
    assert differences.largest(10**400 + 10**399, 10**400) == pytest.approx(1), "both count as float64's largest number"
    assert differences.count_nan(10**400) == 0


def test_whole_numbers_of_another_width_are_equal_and_a_tolerance_allows_more() -> None:
    for dtype in ("int32", "uint64"):
        differences.require_close(INDICES.astype(dtype), INDICES, rtol=0.0, atol=0.0)
    differences.require_close(INDICES - 9, INDICES, rtol=0.0, atol=9.0)
    assert differences.largest(INDICES - 9, INDICES) == 9 / INDICES[-1]
