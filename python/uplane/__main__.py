"""`python -m uplane`: the command."""

from uplane.cli import main

main()
