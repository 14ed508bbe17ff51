"""`python -m wordworth` is the command line."""

from wordworth.cli.entry_point import run

if __name__ == "__main__":  # processes that are spawned import this module again
    run()
