"""Counts of machine code, from assembly in AT&T's notation: a compiler's own, or what objdump (binutils) makes of an object.

Only x86-64's registers are known by name: elsewhere instructions and bytes are counted, and nothing is said of registers.
"""

import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

INSTRUCTION = re.compile(
    r"^(?:\s*[0-9a-f]+:\t(?P<bytes>(?:[0-9a-f]{2} )+)\s*)?"
    r"\t(?:(?:lock|rep\w*|notrack|bnd) )?(?P<name>[a-z]\w*)\s*(?P<operands>.*)$"
)
FUNCTION = re.compile(r"^[0-9a-f]+ <(?P<name>.*)>:$")
REGISTER = re.compile(r"%([xyz])mm\d")
BITS = {"x": 128, "y": 256, "z": 512}
ONE_NUMBER = re.compile(  # what works on one number in a vector register, or only moves, clears or masks
    r"^(?!v?p)\w*s[sd](2\w+)?$|2s[sd][lq]?$|^v?mov\w*$|^v?p(extr|insr)\w$|^v?p?(and|andn|or|xor)(p[sd]|[dq])?$|^v?zero\w+$"
)
PADDING = re.compile(r"nop|data16 |cs nop|int3|xchg +%ax, ?%ax")  # between functions and before loops
STACK = re.compile(r"\(%rsp[,)]")
FRAME = re.compile(r"\(%rbp[,)]")
FRAME_POINTER = re.compile(r"\tmovq?\s+%rsp, ?%rbp")
READS_ITS_LAST = re.compile(r"^(cmp|test|add|sub|and|or|xor|inc|dec|neg|not|sh[lr]|sa[lr]|xchg|v?u?comis)")


def disassemble(objects: Iterable[Path]) -> str | None:
    """The machine code of the objects as text, function by function; None where there is no objdump."""
    objdump = shutil.which("objdump")
    if objdump is None:
        return None
    command = [objdump, "--disassemble", "--wide", "--insn-width=16", *map(str, objects)]  # 15 bytes are the most
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout if command[4:] else ""
    return re.sub(r"^.*: +file format .*$", "", text, flags=re.MULTILINE)  # its path is another on every run


def only(text: str, functions: str) -> str:
    """The part of a disassembly that belongs to functions whose whole name the regular expression matches."""
    chosen, kept = False, []
    for line in text.splitlines():
        if found := FUNCTION.match(line):
            chosen = re.fullmatch(functions, found["name"]) is not None
        if chosen:
            kept.append(line)
    return "\n".join(kept)


def counts(text: str) -> dict[str, int]:
    """What can be counted of the text.

    machine_instructions: of all functions. code_bytes: theirs, where the text says them.
    widest_vector_bits: of the widest register that an instruction on several numbers at once names; 0 where all are scalar.
    stack_loads, stack_stores: instructions that read, or write, memory that the stack pointer addresses (or the frame's,
    where one is set up): spilled registers, and arrays and arguments that live there, for machine code does not say which.
    Pushes, pops, calls and returns are none.
    """
    found = list(_instructions(text))
    made = {"machine_instructions": len(found)}
    if not found or found[0][2]:
        made["code_bytes"] = sum(size for _, _, size in found)
    if any("%r" in operands for _, operands, _ in found) or not found:
        framed = FRAME_POINTER.search(text) is not None
        made["widest_vector_bits"] = max((_vector_bits(name, operands) for name, operands, _ in found), default=0)
        made["stack_loads"] = sum(_reads(name, operands, framed) for name, operands, _ in found)
        made["stack_stores"] = sum(_writes(name, operands, framed) for name, operands, _ in found)
    return made


def _instructions(text: str) -> Iterator[tuple[str, str, int]]:
    """Name, operands and bytes (0 where the text has none) of each; comments are cut off, and padding is left out."""
    for line in text.splitlines():
        if (found := INSTRUCTION.match(line)) and not PADDING.match(f"{found['name']} {found['operands']}"):
            yield found["name"], found["operands"].partition("#")[0].strip(), len((found["bytes"] or "").split())


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
    """Operands apart: a comma inside parentheses is part of an address."""
    return re.split(r",\s*(?![^()]*\))", operands)
