"""`wordworth fill`."""

from click.testing import CliRunner
from tests.models.language_models import write_language_model

import wordworth as ww
from wordworth.cli.fill import command


def test_the_command_prints_a_share_and_a_piece_a_line(tmp_path):
    folder = write_language_model(tmp_path / "bert", "bert")
    done = CliRunner().invoke(command, [str(folder), "the [MASK] [MASK].", "--top", "2"], catch_exceptions=False)
    lines = done.output.splitlines()
    expected = ww.fill(folder, "the [MASK] [MASK].", top=2)
    assert lines[0] == "[MASK] 1 of 2"
    assert lines[1].split() == [f"{expected.gaps[0][0].probability:.1%}", expected.gaps[0][0].piece]
    assert lines[-1] == expected.best
    assert len(lines) == 7
