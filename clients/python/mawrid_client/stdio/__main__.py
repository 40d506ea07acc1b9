"""`python -m mawrid_client.stdio` is the command `mawrid-mcp`."""

import sys

from mawrid_client.stdio.command import main

sys.exit(main())
