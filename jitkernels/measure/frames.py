"""Count how often Python runs a function's body."""

import sys
import types
from collections.abc import Sequence
from typing import Any

TRANSLATED = "tf__"  # prefix of AutoGraph's translation of a function, which runs in its place


class Frames:
    """A context that counts how often Python runs these functions' own code, not compiled code."""

    def __init__(self, functions: Sequence[Any]) -> None:
        self._codes = [function.__code__ for function in functions]
        self._translations = {TRANSLATED + code.co_name for code in self._codes}
        self.count = 0

    def __enter__(self) -> None:
        names = self._translations | {code.co_name for code in self._codes}

        def count_call(frame: types.FrameType, event: str, argument: object) -> None:
            if frame.f_code.co_name in names:  # only this test, because a compiler itself makes millions of calls
                self._count(frame.f_code)

        sys.settrace(count_call)  # not setprofile: Numba reports calls of machine code to it

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _count(self, code: types.CodeType) -> None:
        self.count += code.co_name in self._translations or any(code is counted for counted in self._codes)
