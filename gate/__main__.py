"""``python -m gate``."""

import os
import sys

sys.path.append(sys.path.pop(0))  # the working directory: no file of a change may stand in for a package

from duet.child import orphans
from gate.errors import INFRASTRUCTURE

try:
    from gate.cli import main
except ImportError as error:  # Python's own exit code would be that of a regression
    print(f"gate: {error}; pip install -e '.[gate]' installs what is missing", file=sys.stderr)
    sys.exit(INFRASTRUCTURE)

orphans.adopt()  # what a case left whose own process was killed
try:
    code = main()
finally:
    orphans.end_all(lambda: orphans.below(os.getpid()))
sys.exit(code)
