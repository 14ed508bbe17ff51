"""Options shared by the commands that read a corpus."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from wordworth.text.corpus.documents import CorpusSettings

Command = Callable[..., Any]


def corpus_options(command: Command) -> Command:
    """Add the options for reading a corpus to a command; `reading` turns them into settings."""
    text = click.option(
        "--text", default="text", show_default=True, help="Field of the texts in JSON Lines and Parquet files."
    )
    layout = click.option(
        "--layout",
        type=click.Choice(["auto", "document", "lines", "sentences"]),
        default="auto",
        show_default=True,
        help="How a .txt file is split: one document, one document per line, one sentence per line.",
    )
    return text(layout(command))


def reading(choices: dict[str, Any]) -> CorpusSettings:
    """The settings for reading the corpus; their options are removed from `choices`."""
    from wordworth.subprocesses import available_cpus
    from wordworth.text.corpus.documents import CorpusSettings

    return CorpusSettings(text=choices.pop("text"), layout=choices.pop("layout"), processes=available_cpus())
