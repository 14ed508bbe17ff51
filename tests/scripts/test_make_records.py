"""The commands that prove a refactor are accepted, by the names that options have today."""

from scripts.check_docs import refusal

from scripts import make_records


def test_every_command_is_accepted_under_the_names_of_today(capsys):
    refused = {name: refusal(f"wordworth {line}") for name, line in make_records.COMMANDS.items()}
    assert not {name: reason for name, reason in refused.items() if reason}
    assert "is called" not in capsys.readouterr().err
