"""`wordworth search tune`: learn from labelled queries how much vectors weigh beside words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.retrieval.hybrid_weight_tuning import TuneSettings, tune_search
from wordworth.sentence_formatting import count_of


@click.command("tune")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option("--index", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@settings_options(TuneSettings)
def command(labels: Path, index: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Learn from labelled queries how much vectors weigh beside words in --method hybrid, and keep the weight.

    LABELS has a column of queries, and a column with the ids of texts that answer them. The weight is chosen on half of
    the queries; what is printed was measured on the other half: mean reciprocal ranks, with 95 % intervals.

    \b
    Examples:
      wordworth search tune labels.csv --index index/
      wordworth search tune labels.jsonl --query question --id sku --index index/
    """
    rows = tune_search(labels, index, progress=Bars(), **chosen(choices)).to_dict("records")
    judged = count_of(rows[0]["queries"], "query", "queries")
    say(
        f"mean reciprocal rank (MRR) among the first ten, {judged} that did not choose the weight, with 95 % intervals:"
    )
    for row in rows:
        gain = f"; over dense {row['gain']:+.3f} ({row['gain_low']:+.3f} to {row['gain_high']:+.3f})"
        score = f"{row['score']:.3f} ({row['low']:.3f} to {row['high']:.3f})"
        say(f"{row['method']:<22}  weight {row['weight']:.2f}  {score}" + (gain if row["method"] != "dense" else ""))
