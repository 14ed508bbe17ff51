"""`wordworth to-static`: distil a contextual encoder into a small static table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.text.corpus.read_documents import CorpusSettings


@click.command("to-static")
@click.argument("model")
@click.option("--corpus", type=click.Path(path_type=Path), multiple=True, help="File or folder of text. Repeatable.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder of the table; or a .txt or .vec file of word2vec text.",
)
@settings_options(DistilSettings, CorpusSettings)
def command(model: str, corpus: tuple[Path, ...], out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Distil a contextual encoder into a static table, one vector per word, using your text.

    MODEL is an encoder: a name, a folder or a hub name. model2vec also loads the folder in --out; give it to `worth` as
    --vectors, and to `study words` as --model.

    \b
    Examples:
      wordworth to-static minilm --corpus texts/ --layer 1 --method pc1 --out static/
      wordworth to-static minilm --corpus notes.jsonl --method mean --remove-top 2 --out static/
      wordworth to-static minilm --method pieces --out static/
    """
    from wordworth.models.static.distillation import to_static

    table = to_static(model, corpus, out=out, progress=Bars(), **chosen(choices))
    report = table.counts
    read = f" from {report.occurrences:,} occurrences in {report.sentences:,} sentences" if report.words else ""
    say(f"{out}: {report.words:,} words{read}, {report.pieces:,} pieces, {table.vectors.shape[1]} wide")
    for warning in table.warnings:
        say(f"- {warning}")
