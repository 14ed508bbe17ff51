"""`wordworth evaluate`: the official scorers, on anyone's predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.main_process import say

if TYPE_CHECKING:
    from wordworth.records import Record


@click.command("evaluate")
@click.argument("task")
@click.argument("predictions", type=click.Path(path_type=Path), required=False)
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the task's files. [default: $WORDWORTH_DATA]")
@click.option("--part", help="dev or test. [default: dev, test where there is no dev]")
@click.option(
    "--na-probs", type=click.Path(path_type=Path), help="SQuAD 2.0: JSON of id -> doubt that there is an answer."
)
@click.option("--na-threshold", type=float, help="Withhold answers that are doubted more. [default: 1]")
@click.option("--gold", help="Own file: column of the labels. [default: gold, label, tags, ...]")
@click.option("--prediction", help="Own file: column of the predictions. [default: prediction, ...]")
@click.option("--kind", help="Own file: single, pair, regression, multilabel, tags, choice, span. [by the labels]")
@click.option("--metric", help="Own file: accuracy, macro_f1, f1:CLASS, spearman, ... [default: those usual]")
@click.option("--draws", type=int, help="Resampled parts behind each interval. [default: 1,000]")
@click.option("--seed", type=int, help="Of the resampling. [default: 0]")
@click.option("--json", "as_json", is_flag=True, help="Print the whole record as JSON.")
def command(task: str, predictions: Path | None, *, as_json: bool, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Score predictions for a named task by its official scorer, or for labels of your own, each with its interval.

    PREDICTIONS is SQuAD's JSON of id to answer; a .tsv, .csv or .jsonl with a column `prediction` (and `index` or `id`,
    where rows are in another order); a file of tags, a word a line. TASK `glue` takes a folder of such files. TASK may
    be a file of your own with a column of labels: PREDICTIONS is then left out where the same file holds them.

    \b
    Examples:
      wordworth evaluate squad2 answers.json --na-probs doubts.json
      wordworth evaluate mrpc predictions.tsv
      wordworth evaluate conll2003 tags.txt --part test
      wordworth evaluate glue predictions/
      wordworth evaluate answers.csv --gold label --prediction prediction
      wordworth evaluate run/predictions.jsonl
    """
    from wordworth.studies.evaluate import evaluate

    given = {name: value for name, value in choices.items() if value is not None}
    record = evaluate(task, predictions, **given)
    say(record.to_json().rstrip("\n") if as_json else _shown(record))


def _shown(record: Record) -> str:
    """A line a score, then what is to be known about the data."""
    rows = record.tables["scores"].rows()
    several = len({row["task"] for row in rows}) > 1
    names = [f"{row['task']} {row['metric']}" if several else row["metric"] for row in rows]
    width = max(map(len, names))
    lines = [_line(name.ljust(width), row) for name, row in zip(names, rows, strict=True)]
    notes = [f"note: {finding.text}" for finding in record.findings if finding.name.startswith("warning.")]
    return "\n".join([*lines, *notes])


def _line(name: str, row: dict[str, Any]) -> str:
    digits = row["digits"]
    score = f"{name}  {row['score']:>9.{digits}f}"
    if row["low"] is None:
        return score
    between = f"{row['low']:.{digits}f} to {row['high']:.{digits}f}"
    return f"{score}  95 % {between}, {row['items']:,} {row['unit']}"
