"""python -m jitkernels"""

import sys

from jitkernels.command.main import main

sys.exit(main())
