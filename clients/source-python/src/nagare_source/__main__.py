"""Runs the command `nagare-source-sql` by `python -m nagare_source`."""

import gc

# Importing creates many objects that stay, so searching them for garbage would only take time.
gc.disable()

from .command import main  # noqa: E402

main()
