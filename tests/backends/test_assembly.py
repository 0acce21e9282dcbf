"""Counts of machine code, on snippets short enough to count by hand."""

from pathlib import Path

import pytest

from jitkernels.backends import assembly

COMPILED = """
\t.text
\t.globl\trun
run:
\tpushq\t%rbp
\tvmovss\t(%rdi), %xmm0
.L2:
\tvaddps\t32(%rsp), %ymm1, %ymm2
\tvmovaps\t%ymm2, -64(%rsp)
\taddq\t%rax, 8(%rsp)
\tleaq\t16(%rsp), %rdi
\tcmpq\t%rax, 8(%rsp)
\tjne\t.L2
\tret
"""
DISASSEMBLED = """

Disassembly of section .text:

0000000000000000 <first>:
   0:\t55                                                  \tpush   %rbp
   1:\tc5 f8 58 04 24                                      \tvaddps (%rsp),%xmm0,%xmm0
   6:\tc3                                                  \tret

0000000000000010 <second>:
  10:\t62 f1 7c 48 58 c1                                   \tvaddps %zmm1,%zmm0,%zmm0
  16:\tf3 48 ab                                            \trep stos %rax,%es:(%rdi)
"""


def test_what_a_compiler_writes_is_counted() -> None:
    assert assembly.counts(COMPILED) == {
        "machine_instructions": 9,
        "widest_vector_bits": 256,
        "stack_loads": 3,  # vaddps, addq, cmpq
        "stack_stores": 2,  # vmovaps, addq
    }


def test_a_disassembly_has_bytes_too() -> None:
    counts = assembly.counts(DISASSEMBLED)
    assert (counts["machine_instructions"], counts["code_bytes"]) == (5, 16)
    assert counts["widest_vector_bits"] == 512
    assert (counts["stack_loads"], counts["stack_stores"]) == (1, 0)


def test_functions_can_be_chosen() -> None:
    first = assembly.counts(assembly.only(DISASSEMBLED, "fir.*"))
    assert (first["machine_instructions"], first["code_bytes"], first["widest_vector_bits"]) == (3, 7, 128)
    assert assembly.counts(assembly.only(DISASSEMBLED, "fir"))["machine_instructions"] == 0


@pytest.mark.parametrize(
    ("instruction", "bits"),
    [
        ("addss\t%xmm1, %xmm0", 0),
        ("vcvtsi2sdq\t%rax, %xmm0, %xmm0", 0),
        ("vfmadd231sd\t%xmm1, %xmm2, %xmm0", 0),
        ("cvttss2si\t%xmm0, %eax", 0),
        ("vxorps\t%xmm0, %xmm0, %xmm0", 0),
        ("movaps\t%xmm1, %xmm0", 0),
        ("vmovd\t%xmm0, %eax", 0),
        ("vpmaxsd\t%xmm0, %xmm1, %xmm1", 128),
        ("mulps\t%xmm1, %xmm0", 128),
        ("vpaddq\t%ymm1, %ymm0, %ymm0", 256),
        ("vmovups\t%ymm0, (%rax)", 256),
        ("vpmuludq\t%zmm1, %zmm0, %zmm0", 512),
        ("addq\t%rax, %rbx", 0),
    ],
)
def test_a_vector_is_what_works_on_several_numbers(instruction: str, bits: int) -> None:
    assert assembly.counts(f"\t{instruction}\n\taddq\t%rax, %rbx\n")["widest_vector_bits"] == bits


@pytest.mark.parametrize(
    ("instruction", "loads", "stores"),
    [
        ("movq\t%rax, 8(%rsp)", 0, 1),
        ("movq\t8(%rsp), %rax", 1, 0),
        ("movq\t8(%rsp,%rcx,4), %rax", 1, 0),
        ("movq\t8(%rdi), %rax", 0, 0),
        ("incq\t(%rsp)", 1, 1),
        ("pushq\t8(%rsp)", 0, 0),
        ("vmulsd\t(%rsp), %xmm0, %xmm0", 1, 0),
        ("movq\t-8(%rbp), %rax", 0, 0),
        ("movq\t$1, (%rsp)", 0, 1),
        ("testb\t$1, (%rsp)", 1, 0),
    ],
)
def test_loads_from_and_stores_to_the_stack(instruction: str, loads: int, stores: int) -> None:
    counts = assembly.counts(f"\t{instruction}\n")
    assert (counts["stack_loads"], counts["stack_stores"]) == (loads, stores)


def test_a_frame_pointer_addresses_the_stack_where_there_is_one() -> None:
    framed = "\tmovq\t%rsp, %rbp\n\tmovq\t-8(%rbp), %rax\n"
    assert assembly.counts(framed)["stack_loads"] == 1


def test_nothing_is_said_of_registers_that_are_not_known() -> None:
    assert assembly.counts("\tfadd\tv0.4s, v1.4s, v2.4s\n\tret\n") == {"machine_instructions": 2}


def test_no_code_has_no_instructions() -> None:
    assert set(assembly.counts("").values()) == {0}


def test_padding_is_no_code() -> None:
    padding = "   5:\t66 90 \txchg   %ax,%ax\n   7:\t66 2e 0f 1f 84 00 \tcs nopw 0x0(%rax,%rax,1)\n   d:\t90 \tnop\n"
    assert set(assembly.counts(padding).values()) == {0}


def test_without_objdump_there_is_no_disassembly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert assembly.disassemble([Path("any.o")]) is None
