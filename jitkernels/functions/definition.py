"""A user's functions, written to a file. Each child process makes a ``Kernel`` from it.

The file's path is the kernel's name in every request, and a function's label ("numba", "numba: tiled") its spelling.
"""

import functools
import pickle
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jitkernels import kernels
from jitkernels.errors import Unavailable
from jitkernels.functions import failures, transport
from jitkernels.functions.arguments import LARGEST_SIZE, PLAIN_REFERENCES, Options
from jitkernels.functions.inputs import Inputs
from jitkernels.functions.labels import backend_of, with_namespace
from jitkernels.functions.transport import Address
from jitkernels.kernel import RUN, Kernel, Spelling
from jitkernels.shapes import Array, dtypes

PLAIN = ("python", "numpy", "numba")  # dialects whose functions take NumPy's arrays


@dataclass(frozen=True)
class Definition:
    """What a child needs to measure the functions."""

    functions: Mapping[str, Address]  # by label; an address says where a child finds a function
    inputs: Address
    arguments: Mapping[str, Array]  # of the functions; an axis is a length or the name of one that the size sets
    reference: str  # its label
    size: int  # the smallest
    options: Options
    path: list[str]  # ``sys.path``
    dtypes: Mapping[str, Any]  # ``transport.dtypes``

    def write(self, directory: Path) -> str:
        """Write the file, let this process load the kernel, and return its name."""
        file = directory / "functions.pickle"
        file.write_bytes(pickle.dumps(self))
        register([str(file)])
        return str(file)


def register(names: Iterable[str]) -> None:
    """Let this process load the kernels of these files."""
    for name in names:
        kernels.add(kernel_of(name))


def _read(file: Path) -> Definition:
    """Return a file's definition, and in a process that measures import Triton before what its files import."""
    definition: Definition = pickle.loads(file.read_bytes())
    if transport.is_child():
        for where in (definition.inputs, *definition.functions.values()):
            transport.load_triton_first(Path(where["file"]))
    return definition


def kernel_of(name: str) -> Kernel:
    """Return the kernel of this file. Each function is imported at its first use."""
    definition = _read(Path(name))
    static = definition.options.static
    find = functools.partial(transport.find, path=definition.path, dtypes=definition.dtypes)
    axes = [array.shape for array in definition.arguments.values()]
    inputs = Inputs(lambda: find(definition.inputs), axes, definition.options.seed)

    def label_of(spelling: str) -> str:
        return definition.reference if spelling == RUN else spelling

    @functools.cache
    def function(spelling: str) -> Callable[..., Any]:
        label = label_of(spelling)
        return with_namespace(find(definition.functions[label]), backend_of(label))

    from jitkernels import differences  # here: it imports NumPy, and every child imports this module

    return Kernel(
        name=name,
        summary="functions that a user gave",
        unit="size",
        sizes=range(1, LARGEST_SIZE + 1),
        default_size=definition.size,
        inputs=inputs,
        check=_check(definition, function, inputs),
        metrics=lambda value, size, seed, reference: {
            "error": differences.largest(value, reference()),
            "nan": differences.count_nan(value),
            "answer_dtypes": dtypes(value),  # type: ignore[dict-item]  # no number, and into the row like one
        },
        work=lambda size: size,
        static=static,
        reference=backend_of(definition.reference).name,
        dimensions=inputs.dimensions,
        arguments=definition.arguments,
        spellings={label: Spelling(label, static=static) for label in definition.functions},
        function=function,
        describe=lambda error, spelling: failures.describe(error, definition.functions[label_of(spelling)]["file"]),
    )


def _check(definition: Definition, function: Callable[[str], Callable[..., Any]], inputs: Inputs) -> Callable[..., None]:
    """Return ``Kernel.check``."""
    from jitkernels import differences

    def check(value: Any, size: int, seed: int, reference: Any) -> None:
        def narrow(dtype: str) -> Any:
            """Return the reference's answer to inputs of this dtype ("": of their own, if it is narrow); None if no input
            is such an array, for a compiler's function, which Python would interpret, and for a framework's own arrays."""
            arguments = inputs(size, seed)
            own = [value.dtype.name for value in arguments if _is_float(value)]
            dtype = dtype or next((name for name in own if name in differences.NARROW), "")
            if not (own and dtype) or backend_of(definition.reference).name not in PLAIN_REFERENCES:
                return None
            return function(RUN)(*(value.astype(dtype) if _is_float(value) else value for value in arguments))

        agree = functools.partial(differences.require_close, rtol=definition.options.rtol, atol=definition.options.atol)
        try:
            truth = reference()
            differences.require_numbers(truth)
        except Unavailable:
            raise
        except Exception as error:  # a user's function may raise anything
            file = definition.functions[definition.reference]["file"]
            cause = f"the reference {definition.reference}, called with float64, fails: {failures.describe(error, file)}"
            raise failures.Unchecked(f"its answer cannot be checked, because {cause}") from error
        try:
            agree(value, truth, narrow=narrow)
        except AssertionError:
            differences.require_repeated("it", reference.again(), value, agree)
            differences.require_repeated(f"the reference {definition.reference}", reference.anew(), truth, agree)
            raise

    return check


def _is_float(value: Any) -> bool:
    return getattr(getattr(value, "dtype", None), "kind", "") == "f"
