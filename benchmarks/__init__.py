"""What is measured: asv's classes, one module a kernel. Discovery imports no framework, unless it is told to."""

import contextlib
import importlib
import os
import sys

PRELOAD = "JITKERNELS_PRELOAD"
"""Names of modules to import with the suite. asv's fork server does so once, and each benchmark's process has them from its
first moment: a process of its own, as cold as ever, but for an import of up to ten seconds. Where asv only looks what there
is, and where it makes the directory that exact figures share, as each of its runs does first, nothing is imported."""
MEASURES_NOTHING = "discover", "setup_cache"  # what asv asks of its runner, in its own words

for _module in os.environ.get(PRELOAD, "").split():
    if sys.argv[1:] and sys.argv[1] in MEASURES_NOTHING:
        break
    with contextlib.suppress(ModuleNotFoundError):  # what is missing every cell skips by itself, with the reason
        importlib.import_module(_module)
