"""Run at import the tests of a machine that Inductor runs once in each process, so that forks have the results.

Inductor's disk caches do not save this work. It finds working vector instructions by loading small programs in other
processes, and hashes every source file of torch for the keys of its caches. Otherwise a case's ``start`` does both, before
any clock. The small programs stay in the temporary directory, for the next process that has the same. If all vector
instructions that the processor names work, the processes that this one starts rely on that result.
"""

import contextlib
import importlib
import os
import tempfile
from pathlib import Path

from jitkernels.backends import caches

_programs = Path(tempfile.gettempdir(), "inductor-questions")
for _module, _question in (("codecache", "torch_key"), ("cpu_vec_isa", "pick_vec_isa")):
    with contextlib.suppress(ImportError, AttributeError), caches.restored():  # another release tests elsewhere
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(_programs)
        getattr(importlib.import_module(f"torch._inductor.{_module}"), _question)()

with contextlib.suppress(ImportError, AttributeError):
    _isa, _config = (importlib.import_module(f"torch._inductor.{_name}") for _name in ("cpu_vec_isa", "config"))
    with _config.patch({"cpp.vec_isa_ok": True}):
        _named = _isa.valid_vec_isa_list.__wrapped__()
    if _isa.valid_vec_isa_list() == _named:
        os.environ.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")
