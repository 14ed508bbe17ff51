"""`python -m wordworth` is the command line."""

from wordworth.cli import main

main()
