"""Options that are made of the fields of settings: name, type, default, help, and the values that are refused."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click
import pytest
from click.testing import CliRunner

from wordworth.cli.app import app
from wordworth.cli.settings_options import chosen, settings_options, todays_kind, was_given
from wordworth.errors import BadInput
from wordworth.settings_validation import at_least, setting, validate


@dataclass(frozen=True, kw_only=True)
class Settings:
    kind: str | None = setting(None, "Kind of task.")
    batch_size: int = setting(1_000, "Examples per update.", at_least(1))
    rate: float | None = setting(None, "Learning rate. [default: by the width] [0 or more]", at_least(0))
    method: Literal["mean", "first"] = setting("mean", "How to pool.")
    files: tuple[Path, ...] = setting((), "Files to read.", flags=("--file", "--files"))
    label: str | tuple[str, ...] | None = setting(None, "Columns of labels.")
    crf: bool = setting(False, "Decode with a CRF.")
    tune: bool = setting(True, "Do not tune.")
    seed: int = setting(0, "Random seed.")
    draws: int = setting(100, "Bootstrap resamples.", option=False)

    def __post_init__(self):
        validate(self)


@click.command()
@settings_options(Settings, kind=todays_kind)
def command(**choices):
    click.echo(Settings(**chosen(choices)) if choices["kind"] is None else f"kind {choices['kind']}")


def shown(*words):
    return CliRunner().invoke(command, words)


def test_without_options_the_defaults_of_the_settings_hold():
    assert shown().output == f"{Settings()}\n"


def test_each_option_sets_its_field():
    words = "--batch-size 8 --rate 0.1 --method first --file a --files b --crf --no-tune --label x --seed 3"
    files = (Path("a"), Path("b"))
    wanted = Settings(batch_size=8, rate=0.1, method="first", files=files, crf=True, tune=False, label="x", seed=3)
    assert shown(*words.split()).output == f"{wanted}\n"


def test_one_value_of_a_setting_that_takes_one_or_several_stands_alone():
    assert f"{Settings(label=('x', 'y'))}\n" == shown("--label", "x", "--label", "y").output


def test_the_help_tells_choices_and_defaults_and_leaves_out_what_is_no_option():
    text = " ".join(shown("--help").output.split())
    for part in (
        "--batch-size INTEGER Examples per update. [default: 1,000; 1 or more]",
        "Learning rate. [default: by the width]",
        "--method [mean|first] How to pool. [default: mean]",
        "--no-tune Do not tune.",
        "--seed INTEGER Random seed. [default: 0]",
        "--file, --files PATH Files to read. --file and --files are the same option.",
    ):
        assert part in text
    assert "draws" not in text
    assert "--tune" not in text


def test_every_command_says_the_least_number_of_resamples():
    def helps(of):
        context = click.Context(of)
        for name in of.list_commands(context) if isinstance(of, click.Group) else ():
            yield from helps(of.get_command(context, name))
        yield from (option.help for option in of.params if isinstance(option, click.Option) and option.help)

    texts = [text for text in helps(app) if "Bootstrap resamples" in text]
    assert len(texts) > 5
    assert all("100 or more]" in text for text in texts)


def test_a_prefix_begins_the_help_of_every_option():
    @click.command()
    @settings_options(Settings, prefix="With --data: ")
    def prefixed(**choices):
        """Take options."""

    assert "With --data: examples per update." in " ".join(CliRunner().invoke(prefixed, ["--help"]).output.split())


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        ({"batch_size": 0}, "`batch_size` 0 is out of range; give 1 or more"),
        ({"batch_size": 1.5}, "`batch_size` is 1.5; give a whole number"),
        ({"rate": "x"}, "`rate` is 'x'; give a number"),
        ({"rate": float("nan")}, "`rate` nan is out of range"),
        ({"method": "maen"}, "no method 'maen'; did you mean 'mean'"),
    ],
)
def test_a_value_that_is_refused_is_named_with_the_way_to_mend_it(choice, message):
    with pytest.raises(BadInput, match=message):
        Settings(**choice)


@pytest.mark.parametrize(
    ("former", "today"), [("single", "classification"), ("span", "question_answering"), ("tags", "tagging")]
)
def test_a_former_name_of_a_kind_of_task_works_with_one_line_of_notice(former, today):
    ran = shown("--kind", former)
    assert ran.output.splitlines()[-1] == f"kind {today}"
    assert ran.stderr == f"wordworth: --kind {former} is called --kind {today} now\n"


def test_the_name_of_today_and_an_unknown_one_pass_without_notice():
    for name in ("regression", "ordinal"):
        ran = shown("--kind", name)
        assert (ran.stdout, ran.stderr) == (f"kind {name}\n", "")


def test_an_option_that_is_left_at_its_default_was_not_given():
    @click.command()
    @click.option("--out", default="run")
    def command(out):
        click.echo(f"{out} {was_given('out')}")

    assert [CliRunner().invoke(command, words).output for words in ([], ["--out", "run"])] == [
        "run False\n",
        "run True\n",
    ]
