"""`wordworth worth`: from a file of labelled text to a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.output import warned
from wordworth.cli.progress_bars import Bars
from wordworth.cli.report_option import report_option
from wordworth.cli.task_kind_option import task_kind_option


@click.command("worth")
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--text", help="Column of the texts; guessed if not given.")
@click.option("--label", multiple=True, help="Column of the labels; guessed if not given. Repeatable, for 0/1 columns.")
@click.option("--text-b", help="Column of the second texts, for pairs.")
@task_kind_option(
    "classification, pair_classification, regression, multilabel or tagging; guessed from the data if not given."
)
@click.option("--test", help="A file to test on (a later month, say), or a share of the rows such as 0.2.")
@click.option(
    "--limit",
    type=int,
    help="Most rows to use, drawn by class; a file given to --test is read whole. "
    "[default: 10,000; 1,000 sentences to tag]",
)
@click.option(
    "--skip-unusable",
    is_flag=True,
    default=None,
    help="Leave out rows without a label and test rows of new classes, and say how many.",
)
@click.option("--format", help="csv, tsv, jsonl, parquet or conll, if the file's name does not say.")
@click.option("--metric", help="accuracy, macro_f1, matthews, f1:CLASS, spearman, micro_f1, entity_f1, ...")
@click.option(
    "--model",
    "models",
    multiple=True,
    help="A contextual encoder: a name, a folder or a hub name; 'none' leaves encoders out. Repeatable.",
)
@click.option("--vectors", multiple=True, help="A static table, or your own vectors (.npy, .parquet). Repeatable.")
@click.option(
    "--rung", "rungs", multiple=True, help="Measure only the rung of this name, beside the baseline. Repeatable."
)
@click.option("--vector-price", type=float, help="Price of a million texts at the provider of your vectors.")
@click.option(
    "--margin",
    "--epsilon",
    "epsilon",
    type=float,
    help="Points that a rung may score below the others and still be good enough; above 0. [default: 1]",
)
@click.option("--seeds", type=int, help="Random draws of each training subset, 2 or more. [default: 5]")
@click.option("--seed", type=int, help="Random seed. [default: 0]")
@click.option("--hourly-price", type=float, help="Price of an hour of this machine. [default: 0.10]")
@click.option("--label-price", type=float, help="Price of one label. [default: 0.04]")
@click.option("--currency", help="Currency sign on the page. [default: $]")
@click.option(
    "--threads", type=int, help="Fits at the same time, 1 or more; the results do not depend on it. [default: 2]"
)
@click.option(
    "--quick", is_flag=True, default=None, help="Answer within a minute from at most 1,000 rows, fewer of long texts."
)
@click.option(
    "--no-distil", "distil", flag_value=False, default=None, help="Do not distil the encoder into a static table."
)
@click.option("--no-finetune", "finetune", flag_value=False, default=None, help="Do not fine-tune the encoder.")
@report_option
def command(data: Path, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Say whether your labelled text needs a contextual encoder, or whether something far cheaper will do.

    DATA is a CSV, TSV, JSON Lines, Parquet or CoNLL file. The verdict is printed; the record and the page go to --out.

    \b
    Examples:
      wordworth worth reviews.csv --text text --label label --out run/
      wordworth worth march.csv --test april.csv --metric f1:refund
      wordworth worth pairs.csv --text question --text-b answer --label score --kind regression
      wordworth worth reviews.csv --quick
    """
    from wordworth.studies.worth import worth

    chosen = {name: value for name, value in choices.items() if value not in (None, ())}
    if len(chosen.get("label", ())) == 1:
        (chosen["label"],) = chosen["label"]
    record = worth(data, out=out, progress=Bars(), **chosen)
    say(f"\n{record.verdict}\n{warned(record)}\n{out / 'report.html'}")
