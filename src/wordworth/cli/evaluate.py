"""`wordworth evaluate`: the official scorers, on any system's predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.task_kind_option import task_kind_option

if TYPE_CHECKING:
    from wordworth.records import Record


@click.command("evaluate")
@click.argument("task")
@click.argument("predictions", type=click.Path(path_type=Path), required=False)
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the task's files. [default: $WORDWORTH_DATA]")
@click.option("--part", help="dev or test. [default: dev, test where there is no dev]")
@click.option("--na-probs", type=click.Path(path_type=Path), help="SQuAD 2.0: JSON of id -> probability of no answer.")
@click.option("--na-threshold", type=float, help="Predict no answer where that probability is higher. [default: 1]")
@click.option("--gold", help="Your own file: column of the labels. [default: gold, label, tags, ...]")
@click.option("--prediction", help="Your own file: column of the predictions. [default: prediction, ...]")
@task_kind_option(
    "Your own file: classification, pair_classification, regression, multilabel, tagging, multiple_choice or "
    "question_answering. [default: by the labels]"
)
@click.option("--metric", help="Your own file: accuracy, macro_f1, f1:CLASS, spearman, ... [default: the usual ones]")
@click.option("--draws", type=int, help="Bootstrap resamples per interval. [default: 1,000]")
@click.option("--seed", type=int, help="Random seed of the resampling. [default: 0]")
@click.option("--json", "as_json", is_flag=True, help="Print the whole record as JSON.")
def command(task: str, predictions: Path | None, *, as_json: bool, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Score predictions for a named task by its official scorer, or for your own labels, each score with its interval.

    PREDICTIONS is SQuAD's JSON of id to answer; a .tsv, .csv or .jsonl with a column `prediction` (and `index` or `id`
    if the rows are in another order); or a file of tags, one word per line. TASK `glue` takes a folder of such files.
    TASK may be your own file with a column of labels; leave PREDICTIONS out if that file holds them too.

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

    chosen = {name: value for name, value in choices.items() if value is not None}
    record = evaluate(task, predictions, **chosen)
    say(record.to_json().rstrip("\n") if as_json else _terminal_text(record))


def _terminal_text(record: Record) -> str:
    """One line per score, then notes about the data."""
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
    bounds = f"{row['low']:.{digits}f} to {row['high']:.{digits}f}"
    return f"{score}  95 % {bounds}, {row['items']:,} {row['unit']}"
