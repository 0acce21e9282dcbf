"""A person's mistake gets one line and exit code 2; help is plain and always there."""

import pytest
from shell import jitkernels

from jitkernels.__main__ import main


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["time", "philox_pi", "-n", "0"], "points must be a whole number from 1 to 1099511627776, got 0"),
        (["time", "philox_pi", "-n", "-1"], "got -1"),
        (["time", "philox_pi", "-n", "1.5"], "got '1.5'"),
        (["time", "philox_pi", "-n", "many"], "got 'many'"),
        (["time", "philox_pi", "-n", "nan"], "got 'nan'"),
        (["time", "philox_pi", "-n", "1e999999999"], "got '1e999999999'"),
        (["time", "philox_pi", "-n", "1099511627777"], "got 1099511627777"),
        (["check", "philox_pi", "--seed", "-1"], "seed must be a whole number from 0 to 18446744073709551615, got -1"),
        (["check", "philox_pi", "--seed", "18446744073709551616"], "got 18446744073709551616"),
        (["check", "philox_pi", "--seed", "0.5"], "got '0.5'"),
        (["time", "philox_pi="], "got ''"),
        (["time", "philox_pi=many"], "got 'many'"),
        (["time", "pie=5"], "unknown kernel 'pie'; known: "),
        (["time", "pie"], "unknown kernel 'pie'; known: "),
        (["time", "my.py"], "unknown kernel 'my.py' (a file of functions: jitkernels compare my.py); known: "),
        (["time", "philox_pi", "pie"], "unknown kernel 'pie'"),
        (["check", "pie"], "unknown kernel 'pie'"),
        (["time", "philox_pi", "-b", "gcc"], "unknown backend 'gcc'; known: python, numpy, c"),
        (["show", "philox_pi", "gcc"], "unknown backend 'gcc'"),
        (["show", "philox_pi", "c", "jaxpr"], "c has no stage 'jaxpr'; known: assembly"),
        (["patterns", "pie"], "unknown kernel 'pie'; known: "),
        (["patterns", "dense"], "dense has no call patterns; those that have: repeated_multiply"),
        (["patterns", "square_or_cube", "-s", "hasty"], "square_or_cube has no spelling 'hasty'; known: run, naive"),
        (["patterns", "side_effect", "-b", "gcc"], "unknown backend 'gcc'; known: python, numpy, c"),
        (["aot", "nothing"], "unknown kernel 'nothing'; known: "),
        (["aot", "relu", "-b", "nothing"], "unknown backend 'nothing'; known: "),
        (["aot", "relu", "-b", "numpy"], "numpy has no ahead-of-time way: its operations were compiled"),
        (["aot", "relu", "-b", "c", "-n", "1.5"], "rows must be a whole number"),
        (["aot", "relu", "-b", "c", "-o", "/proc/nowhere"], "cannot keep files in /proc/nowhere: "),
        (["aot", "relu", "-b", "c", "-o", "/dev/null"], "cannot keep files in /dev/null: File exists"),
        (["time", "relu", "--processes", "0"], "processes must be a whole number from 1 to 100, got 0"),
        (["time"], "the following arguments are required: KERNEL"),
        (["rank"], "invalid choice: 'rank'"),
    ],
)
def test_a_mistake_gets_one_line_and_exit_code_2(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    output = capsys.readouterr()
    assert (end.value.code, output.out, output.err.count("\n")) == (2, "", 1)
    assert complaint in output.err


def test_an_unknown_device_is_a_usage_error_of_the_process() -> None:
    answer = jitkernels("list", JITKERNELS_DEVICE="tpu")
    assert (answer.returncode, answer.stderr.count("\n")) == (2, 1)
    assert "unknown device 'tpu' in JITKERNELS_DEVICE; known: cpu, gpu" in answer.stderr


@pytest.mark.parametrize("command", [[], ["list"], ["check"], ["time"], ["show"], ["patterns"], ["aot"], ["chart"], ["pi"]])
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([*command, "--help"])
    assert end.value.code == 0
    assert capsys.readouterr().out.startswith("usage: jitkernels")


def test_without_a_command_the_help_is_printed_with_exit_code_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("usage: jitkernels [-h]")
