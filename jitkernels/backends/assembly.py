"""Counts of XLA's HLO, and of assembly in AT&T's notation, from a compiler or from objdump (binutils).

Only x86-64's registers are known by name. For other processors only instructions and bytes are counted.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from jitkernels.backends.artifacts import Artifacts

INSTRUCTION = re.compile(
    r"^(?:\s*[0-9a-f]+:\t(?P<bytes>(?:[0-9a-f]{2} )+)\s*)?"
    r"\t(?:(?:lock|rep\w*|notrack|bnd) )?(?P<name>[a-z]\w*)\s*(?P<operands>.*)$"
)
FUNCTION = re.compile(r"^[0-9a-f]+ <(?P<name>.*)>:$")
REGISTER = re.compile(r"%([xyz])mm\d")
BITS = {"x": 128, "y": 256, "z": 512}
ONE_NUMBER = re.compile(  # instructions on one number in a vector register, or that only move, clear or mask
    r"^(?!v?p)\w*s[sd](2\w+)?$|2s[sd][lq]?$|^v?mov\w*$|^v?p(extr|insr)\w$|^v?p?(and|andn|or|xor)(p[sd]|[dq])?$|^v?zero\w+$"
)
PADDING = re.compile(r"nop|data16 |cs nop|int3|xchg +%ax, ?%ax")  # between functions and before loops
STACK = re.compile(r"\(%rsp[,)]")
FRAME = re.compile(r"\(%rbp[,)]")
LIBRARIES_ALONE = "# XLA wrote no machine code: all of it is calls of its libraries"
FRAME_POINTER = re.compile(r"\tmovq?\s+%rsp, ?%rbp")
READS_ITS_LAST = re.compile(r"^(cmp|test|add|sub|and|or|xor|inc|dec|neg|not|sh[lr]|sa[lr]|xchg|v?u?comis)")


def disassemble(objects: Iterable[Path]) -> str | None:
    """Return the machine code of the objects as text, function by function; None without objdump."""
    objdump = shutil.which("objdump")
    if objdump is None:
        return None
    command = [objdump, "--disassemble", "--wide", "--insn-width=16", *map(str, objects)]  # at most 15 bytes each
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout if command[4:] else ""
    return re.sub(r"^.*: +file format .*$", "", text, flags=re.MULTILINE)  # the path differs in every run


def only(text: str, functions: str) -> str:
    """Return the part of a disassembly with functions whose whole name matches the regular expression."""
    is_chosen, lines = False, []
    for line in text.splitlines():
        if start := FUNCTION.match(line):
            is_chosen = re.fullmatch(functions, start["name"]) is not None
        if is_chosen:
            lines.append(line)
    return "\n".join(lines)


def of_xla(directory: Path, has_objects: bool = True, files: str = "*") -> Artifacts:
    """Return what XLA wrote into the directory: what LLVM gets, what it makes of that, and the machine code with its counts.

    Some versions of XLA write the objects of all parts of a program into one file, so that only the last one is left. Then
    there is no machine code. has_objects: False for a GPU, whose machine code is in no object file. files: a pattern of the
    files' names.
    """
    written = {
        stage: sorted(directory.glob(f"{files}.ir-{suffix}-opt*.ll"))
        for stage, suffix in (("unoptimized_llvm", "no"), ("llvm", "with"))
    }
    texts = {stage: "\n".join(part.read_text() for part in parts) for stage, parts in written.items() if parts}
    objects = sorted(directory.glob(f"{files}.o"))
    is_whole = has_objects and len(objects) >= len(written["llvm"])
    machine = disassemble(objects) if is_whole else None
    if machine is None:
        return Artifacts(texts)
    return Artifacts({**texts, "assembly": machine.strip() or LIBRARIES_ALONE}, counts(machine))


def hlo_counts(text: str) -> dict[str, int]:
    """Count the instructions of optimised HLO, and the fusions among them."""
    instructions = re.findall(r"^ +(?:ROOT )?%?[\w.-]+ = ", text, re.MULTILINE)
    return {"hlo_instructions": len(instructions), "fusions": len(re.findall(r" fusion\(", text))}


def counts(text: str, total: str = "machine_instructions") -> dict[str, int]:
    """Return the counts of a disassembly. total: the name for the number of all functions' instructions.

    code_bytes: of all instructions, if the text has bytes.
    widest_vector_bits: of the widest register in an instruction on several numbers at once; 0 if all are scalar.
    stack_loads, stack_stores: instructions that read or write memory by the stack pointer (or by the frame pointer, if it
    is set up): spilled registers, but also arrays and arguments there, because machine code does not distinguish them.
    Pushes, pops, calls and returns do not count.
    """
    instructions = list(_instructions(text))
    result = {total: len(instructions)}
    if not instructions or instructions[0][2]:
        result["code_bytes"] = sum(size for _, _, size in instructions)
    if any("%r" in operands for _, operands, _ in instructions) or not instructions:
        framed = FRAME_POINTER.search(text) is not None
        result["widest_vector_bits"] = max((_vector_bits(name, operands) for name, operands, _ in instructions), default=0)
        result["stack_loads"] = sum(_reads(name, operands, framed) for name, operands, _ in instructions)
        result["stack_stores"] = sum(_writes(name, operands, framed) for name, operands, _ in instructions)
    return result


def _instructions(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the name, operands and bytes (0 if the text has none) of each instruction, without comments and padding."""
    for line in text.splitlines():
        if (match := INSTRUCTION.match(line)) and not PADDING.match(f"{match['name']} {match['operands']}"):
            yield match["name"], match["operands"].partition("#")[0].strip(), len((match["bytes"] or "").split())


def _vector_bits(name: str, operands: str) -> int:
    widest = max((BITS[letter] for letter in REGISTER.findall(operands)), default=0)
    return 0 if widest == BITS["x"] and ONE_NUMBER.search(name) else widest


def _reads(name: str, operands: str, framed: bool) -> bool:
    if name.startswith(("lea", "push", "pop", "call", "prefetch")):
        return False
    *sources, target = _split(operands)
    from_stack = any(_on_stack(source, framed) for source in sources)
    return from_stack or (_on_stack(target, framed) and (not sources or READS_ITS_LAST.match(name) is not None))


def _writes(name: str, operands: str, framed: bool) -> bool:
    if name.startswith(("lea", "push", "pop", "call", "cmp", "test", "ucomis", "comis", "vucomis", "vcomis", "jmp")):
        return False
    return _on_stack(_split(operands)[-1], framed)


def _on_stack(operand: str, framed: bool) -> bool:
    return STACK.search(operand) is not None or (framed and FRAME.search(operand) is not None)


def _split(operands: str) -> list[str]:
    """Split operands at commas; a comma inside parentheses is part of an address."""
    return re.split(r",\s*(?![^()]*\))", operands)
