"""Looks up at import what Numba does before it compiles or loads its first program, so that forks of this process have it.

These are its registries of functions and types, whose modules it imports then: a third of a second. They are a part of a
cold start, so a process that measures one must not import this module.
"""

import contextlib

with contextlib.suppress(ImportError, AttributeError):  # another release has them elsewhere, and each process by itself
    from numba.core.registry import cpu_target

    cpu_target.typing_context.refresh()
    cpu_target.target_context.refresh()
