from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from wordworth.cli.study_output import report_folder, report_option, say_verdict
from wordworth.records import Finding, Record

VERDICT = Finding("verdict", "Keep TF-IDF.")


def record(*warnings):
    findings = [VERDICT, *(Finding(f"warning.{number}", text) for number, text in enumerate(warnings))]
    return Record("any", {}, {}, {}, findings)


@pytest.mark.parametrize(
    ("warnings", "out", "said"),
    [
        ((), None, "\nKeep TF-IDF.\n\n"),
        ((), Path("run"), "\nKeep TF-IDF.\n\nrun/report.html\n"),
        (("A.", "B."), None, "\nKeep TF-IDF.\n\nBefore you trust it:\n- A.\n- B.\n\n"),
    ],
)
def test_the_verdict_is_followed_by_its_warnings_and_the_page(warnings, out, said, capsys):
    say_verdict(record(*warnings), out)
    assert capsys.readouterr().out == said


def test_another_text_may_stand_for_the_verdict(capsys):
    say_verdict(record(), None, "In short: yes.")
    assert capsys.readouterr().out.strip() == "In short: yes."


def test_control_characters_of_the_data_do_not_reach_the_terminal(capsys):
    say_verdict(record("\x1b[2J"), None)
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.parametrize(("option", "default"), [(report_option, "run"), (report_folder("attention"), "attention")])
def test_a_study_writes_into_its_usual_folder_unless_another_is_named(option, default, tmp_path):
    def show(out):
        click.echo(out)

    command = click.command()(option(show))
    assert CliRunner().invoke(command, []).stdout == f"{default}\n"
    assert CliRunner().invoke(command, ["--out", str(tmp_path)]).stdout == f"{tmp_path}\n"
    (tmp_path / "file").write_text("")
    assert CliRunner().invoke(command, ["--out", str(tmp_path / "file")]).exit_code == 2
