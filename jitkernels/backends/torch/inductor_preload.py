"""What Inductor asks of a machine once a process, asked when this is imported; whoever forks then has the answers.

Its caches spare a process none of it: which vector instructions work, it learns by loading programs of theirs in processes
of their own, and the key of its caches is a hash of every source file of torch. Where a first call is what is measured, both
are a part of it, and this must not be imported.
"""

import contextlib
import importlib

for _module, _question in (("codecache", "torch_key"), ("cpu_vec_isa", "pick_vec_isa")):
    with contextlib.suppress(ImportError, AttributeError):  # another release asks elsewhere, and each process by itself
        getattr(importlib.import_module(f"torch._inductor.{_module}"), _question)()
