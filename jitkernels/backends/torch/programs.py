"""How a mode of torch compiles a kernel: which functions of its file, by which function of torch, with which options.

A dialect's file may name the parts that its user would compile: keyword-only parameters of ``run`` with functions as
defaults (``count=count_hits``). These parts are compiled. ``run`` itself stays in Python, because a loop over chunks in it
would be unrolled into the program. A ``run`` without such parameters is compiled whole. A keyword-only parameter ``device``
gets torch's name of the device.

``compiler_options`` of the file has, by backend, further keyword arguments of the function that compiles; and under "run",
values for other keyword-only parameters of ``run``.
"""

import functools
import inspect
import pkgutil
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import torch

from jitkernels.backends.table import Backend
from jitkernels.backends.torch.tensors import device_name
from jitkernels.source import Source

SCRIPT = "script"  # the mode in which a user's decorator may script at once
counts = Counter[str]()  # programs by the function that made them; torch counts those of ``torch.compile``


def bind(source: Source, backend: str, device: str, translator: Callable[..., Any]) -> Callable[..., Any]:
    """Return ``run`` with ``translator(function, options)`` applied to its parts, or to itself if it has none."""
    run: Any = source.run
    options = dict(source.options.get(backend, {}))
    keywords = dict(options.pop("run", {}))
    if "device" in inspect.signature(run).parameters:
        keywords["device"] = device_name(device)
    parts = {name: keywords.pop(name, part) for name, part in source.parts.items()}
    if not parts:
        return functools.partial(translator(run, options), **keywords)
    translated = {name: translator(part, options) for name, part in parts.items()}
    return functools.partial(run, **translated, **keywords)


def translate(backend: Backend, function: Any, options: dict[str, Any]) -> Any:
    """Return one function as the backend's user would compile it, with the row's options and these."""
    if not backend.translator:
        return function
    return pkgutil.resolve_name(backend.translator)(function, **{**backend.options, **options})


def script(function: Any) -> Any:
    """Return ``torch.jit.script`` of the function, without its warning of deprecation."""
    known = torch.jit._state._try_get_jit_cached_function(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        scripted = torch.jit.script(function)
    counts["script"] += known is None
    return scripted


def forget_scripts() -> None:
    """Drop the functions that TorchScript has compiled."""
    torch.jit._state._jit_caching_layer.clear()


def script_on_first_call(function: Any) -> Any:
    """Return a program that scripts the function at its first call, like the just-in-time compilers."""
    scripted: Any = None

    def program(*arguments: Any) -> Any:
        nonlocal scripted
        if scripted is None:
            scripted = script(function)
        return scripted(*arguments)

    return program
