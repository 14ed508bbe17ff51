"""Messages of the package reach the caller's logging, or the caller's own progress object."""

import logging

from wordworth.progress import SILENT


def test_messages_go_to_the_logger_of_the_package(caplog):
    with caplog.at_level(logging.INFO, logger="wordworth"):
        SILENT.note("texts of over 512 tokens are read whole, in overlapping windows")
    assert [(entry.name, entry.levelname) for entry in caplog.records] == [("wordworth", "INFO")]
    assert "overlapping windows" in caplog.text


def test_nothing_is_printed_where_the_caller_has_not_asked_for_messages(capsys):
    SILENT.note("a message")
    with SILENT.step("work", 3) as step:
        step.advance()
    assert capsys.readouterr() == ("", "")
