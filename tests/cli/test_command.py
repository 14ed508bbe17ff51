"""Options that take several values, and former names of options and commands."""

import click
import pytest
from click.testing import CliRunner
from tests.cli.terminal import wordworth

from wordworth.cli import study_context, study_senses, study_words
from wordworth.cli.command import Command, repeat_names

NAMES = {"--models", "--data"}


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("--models a b c --out d", "--models a --models b --models c --out d"),
        ("--models=a b --data c d", "--models=a --models b --data c --data d"),
        ("--models a --limit 3 b", "--models a --limit 3 b"),
        ("--models a --help", "--models a --help"),
        ("--limit 3 --models a", "--limit 3 --models a"),
    ],
)
def test_a_value_belongs_to_the_repeatable_option_before_it(given, meant):
    assert list(repeat_names(given.split(), NAMES)) == meant.split()


def values(command, *words):
    return command.make_context("study", list(words)).params


@pytest.mark.parametrize(
    ("command", "others"),
    [(study_context.command, ["--data", "sts"]), (study_senses.command, []), (study_words.command, [])],
    ids=["context", "senses", "words"],
)
@pytest.mark.parametrize("flag", ["--model", "--models"])
def test_every_study_takes_several_models_after_one_flag(command, others, flag):
    three = ("minilm", "mini", "glove")
    assert values(command, flag, *three, *others)["models"] == three
    assert values(command, *others, *(word for model in three for word in (flag, model)))["models"] == three


def test_senses_and_words_take_several_sets_after_one_flag():
    assert values(study_senses.command, "--data", "semcor", "wic", "--limit", "9")["data"] == ("semcor", "wic")
    assert values(study_words.command, "--models", "a", "--sets", "ap", "bless")["sets"] == ("ap", "bless")


def test_what_belongs_to_no_option_is_refused():
    with pytest.raises(click.UsageError, match="unexpected extra argument"):
        values(study_context.command, "--data", "sts", "--limit", "9", "minilm")
    assert wordworth("study", "words", "table.txt", "--models", "a").code == 2


@click.command(cls=Command, former_options={"--looks": "--evals"})
@click.option("--evals", type=int, default=20)
@click.argument("words", nargs=-1)
def renamed(evals, words):
    click.echo(f"{evals} {words}")


@pytest.mark.parametrize("line", ["--looks 3", "--looks=3"])
def test_the_former_name_of_an_option_still_works_and_a_line_names_todays(line):
    result = CliRunner().invoke(renamed, line.split())
    assert (result.stdout, result.exit_code) == ("3 ()\n", 0)
    assert result.stderr == "wordworth: --looks is called --evals now\n"


def test_after_two_dashes_a_former_name_is_a_word_as_any():
    result = CliRunner().invoke(renamed, ["--", "--looks"])
    assert (result.stdout, result.stderr) == ("20 ('--looks',)\n", "")


def test_help_shows_the_name_of_today_alone():
    text = CliRunner().invoke(renamed, ["--help"]).stdout
    assert "--evals" in text
    assert "--looks" not in text
