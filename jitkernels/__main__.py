"""python -m jitkernels"""

import sys

from jitkernels.cli import main

sys.exit(main())
