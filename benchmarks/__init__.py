"""What asv measures: one module for each kernel, with the classes of ``_suite``. Discovery imports no framework."""

import contextlib
import importlib
import os
import sys

PRELOAD = "JITKERNELS_PRELOAD"
"""Names the modules to import with the suite. asv's fork server imports them once, so each benchmark's process has them at
its start. It is as cold as any other process, but needs no import of up to ten seconds."""
MEASURES_NOTHING = ("discover", "setup_cache")  # asv_runner's tasks that need no framework

if not any(task in MEASURES_NOTHING for task in sys.argv[1:2]):
    for _module in os.environ.get(PRELOAD, "").split():
        # Preloading only saves time. Each case reports missing or broken modules by itself, and an older version of the
        # library may have a module elsewhere.
        with contextlib.suppress(Exception):
            importlib.import_module(_module)
