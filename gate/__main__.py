"""``python -m gate``."""

import sys

from gate.errors import INFRASTRUCTURE

try:
    from gate.cli import main
except ImportError as error:  # Python's own exit code would be that of a regression
    print(f"gate: {error}; pip install -e '.[gate]' installs what is missing", file=sys.stderr)
    sys.exit(INFRASTRUCTURE)

sys.exit(main())
