"""`python -m wordworth` is the command line."""

from wordworth.cli.process import run

run()
