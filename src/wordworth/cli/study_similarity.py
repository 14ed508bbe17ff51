"""`wordworth study similarity`: show which words make two texts similar."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.require_inputs import require_inputs
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.cli.study_output import report_option, say_verdict
from wordworth.cli.text_argument import text_of
from wordworth.studies.similarity.settings import SimilaritySettings, require_effect


@click.command("similarity", cls=Command)
@click.argument("texts", nargs=-1, metavar="[TEXT TEXT]")
@settings_options(SimilaritySettings)
@report_option
def command(texts: tuple[str, ...], out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Split the cosine of two texts by pairs of their words: which words make the texts similar.

    Each TEXT is a text, or a file that holds one. The page has a table with a cell for each word of one text and each
    word of the other; the cells add up to the cosine. The page says by how much the cosine falls without each word.

    \b
    Examples:
      wordworth study similarity "The film was great." "A wonderful movie."
      wordworth study similarity a.txt b.txt --model all-MiniLM-L6-v2/
      wordworth study similarity --data pairs.csv --text text_a --text-b text_b --out run/
      wordworth study similarity --data answers.csv --query "How do I return an order?" --top 3
    """
    from wordworth.studies.similarity import similarity

    selected = chosen(choices)
    if texts or "data" in selected:
        require_effect(selected, table="data" in selected, query="query" in selected)
    require_inputs(selected)
    record = similarity([text_of(text) for text in texts], out=out, progress=Bars(), **selected)
    say_verdict(record, out)
