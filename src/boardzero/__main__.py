"""`python -m boardzero` is `boardzero`."""

import sys

from boardzero.cli import main

sys.exit(main())
