"""What commands that read a corpus share: where the text is in its files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from wordworth.text.corpus.documents import CorpusSettings

Command = Callable[..., Any]


def corpus_options(command: Command) -> Command:
    """A decorator with the options of reading a corpus; `reading` takes them."""
    text = click.option(
        "--text", default="text", show_default=True, help="Field of the texts in JSON lines and Parquet."
    )
    layout = click.option(
        "--layout",
        type=click.Choice(["auto", "document", "lines", "sentences"]),
        default="auto",
        show_default=True,
        help="What a .txt is: one document, a document a line, a sentence a line.",
    )
    return text(layout(command))


def reading(choices: dict[str, Any]) -> CorpusSettings:
    """How the corpus is read; these options are taken out of the choices."""
    from wordworth.subprocesses import available_cpus
    from wordworth.text.corpus.documents import CorpusSettings

    return CorpusSettings(text=choices.pop("text"), layout=choices.pop("layout"), processes=available_cpus())
