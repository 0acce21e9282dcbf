"""The header of an ELF file: which machine its code is for.

Source: Tool Interface Standard, "Executable and Linking Format Specification", 1.2; machines by the System V ABI's registry.
"""

from pathlib import Path

MAGIC = b"\x7fELF"
MACHINES = {62: "x86_64", 183: "aarch64", 190: "cuda", 243: "riscv"}
_MACHINE = slice(18, 20)  # e_machine, after the identification and e_type
_LITTLE, _BYTE_ORDER = 1, 5  # EI_DATA


def machine(header: bytes) -> str | None:
    """Return the machine's name, or its number; None where the file is no ELF file. header: its first 20 bytes or more."""
    if header[:4] != MAGIC:
        return None
    number = int.from_bytes(header[_MACHINE], "little" if header[_BYTE_ORDER] == _LITTLE else "big")
    return MACHINES.get(number, str(number))


def machines(directory: Path) -> dict[str, str]:
    """Return the machine of each ELF file in ``directory``, by the file's ending."""
    by_suffix = {path.suffix.lstrip("."): machine(path.read_bytes()[:20]) for path in directory.rglob("*") if path.is_file()}
    return {suffix: name for suffix, name in by_suffix.items() if name}
