"""Runs the command `nagare-source-sql` by `python -m nagare_source`."""

from .command import main

main()
