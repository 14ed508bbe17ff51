"""`wordworth symbols` lists its commands."""

from click.testing import CliRunner

from wordworth.cli.symbols import COMMANDS, command


def test_every_command_is_listed():
    output = CliRunner().invoke(command, ["--help"]).output
    assert all(name in output for name in COMMANDS)
