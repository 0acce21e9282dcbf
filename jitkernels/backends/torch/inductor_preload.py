"""Asks at import what Inductor asks of a machine once a process, so that forks of this process have the answers.

Inductor's disk caches do not save this work: it finds the vector instructions that work by loading small programs in other
processes, and hashes every source file of torch for the keys of its caches. A case's ``start`` does both otherwise, before
any clock of ours. The small programs stay in the temporary directory, for the next process that has it. Where all vector
instructions work that the processor names, processes that this one starts take its word for them.
"""

import contextlib
import importlib
import os
import tempfile
from pathlib import Path
from unittest import mock

_programs = {"TORCHINDUCTOR_CACHE_DIR": str(Path(tempfile.gettempdir(), "inductor-questions"))}
for _module, _question in (("codecache", "torch_key"), ("cpu_vec_isa", "pick_vec_isa")):
    with contextlib.suppress(ImportError, AttributeError), mock.patch.dict(os.environ, _programs):
        # Another release asks elsewhere, and each process by itself.
        getattr(importlib.import_module(f"torch._inductor.{_module}"), _question)()

with contextlib.suppress(ImportError, AttributeError):
    _isa, _config = (importlib.import_module(f"torch._inductor.{_name}") for _name in ("cpu_vec_isa", "config"))
    with _config.patch({"cpp.vec_isa_ok": True}):
        _named = _isa.valid_vec_isa_list.__wrapped__()
    if _isa.valid_vec_isa_list() == _named:
        os.environ.setdefault("TORCHINDUCTOR_VEC_ISA_OK", "1")
