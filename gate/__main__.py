"""``python -m gate``. An error of the gate itself never ends it with 1, Python's own code: it is that of a regression."""

import os
import sys
import traceback

sys.path.append(sys.path.pop(0))  # the working directory: no file of a change may stand in for a package

INFRASTRUCTURE = 5  # of gate.errors, which may be the file that cannot be imported

try:
    from duet.child import orphans
    from gate.cli import main
except (Exception, SystemExit) as error:  # these files, or the working tree's tables and selection, may raise anything
    is_missing = isinstance(error, ImportError)
    text = f"gate: {error}; pip install -e '.[gate]' installs what is missing\n" if is_missing else traceback.format_exc()
    try:
        os.write(2, text.encode(errors="backslashreplace"))
    finally:
        os._exit(INFRASTRUCTURE)  # also if standard error is closed

orphans.adopt()  # what a case left whose own process was killed
try:
    code = main()
finally:
    orphans.end_all(lambda: orphans.below(os.getpid()))
sys.exit(code)
