"""`wordworth study entities`: measure what the vectors of linked entities add to a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import say_verdict
from wordworth.sources import require
from wordworth.studies.entities.settings import EntitiesSettings
from wordworth.text.read_compressed_file import check_file


@click.command("entities", cls=Command)
@click.argument("data", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for record.json, report.html and runs/, from which stopped runs resume.",
)
@settings_options(EntitiesSettings)
def command(data: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Measure what linked entities add to a model on labelled texts. If it is stopped, the same command resumes.

    DATA is a table of labelled texts with links, as kg link writes them. The model is fine-tuned with these links, with
    every entity exchanged for another, and without entities; --control is another model without entities.

    \b
    Examples:
      wordworth study entities linked.csv --model pretrained/ --out run/
      wordworth study entities train.jsonl --test test.jsonl --model fused/ --control text/ --runs 5 --out run/
    """
    settings = chosen(choices)
    EntitiesSettings(**settings)  # refused before torch is imported
    check_file(data)
    require(settings["model"])
    from wordworth.studies.entities import entities

    say_verdict(entities(data, out, progress=Bars(), **settings), out)
