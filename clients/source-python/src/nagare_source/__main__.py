"""`python -m nagare_source` is `nagare-source-sql`."""

from .command import main

main()
