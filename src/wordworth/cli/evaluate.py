"""`wordworth evaluate`: the official scorers, on any system's predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.main_process_output import say, say_json
from wordworth.cli.settings_options import chosen, settings_options, todays_kind
from wordworth.studies.evaluate.settings import EvaluateSettings

if TYPE_CHECKING:
    from wordworth.records import Record


@click.command("evaluate")
@click.argument("task")
@click.argument("predictions", type=click.Path(path_type=Path), required=False)
@settings_options(EvaluateSettings, kind=todays_kind)
@click.option("--json", "as_json", is_flag=True, help="Print the whole record as JSON.")
def command(task: str, predictions: Path | None, *, as_json: bool, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Score predictions for a named task by its official scorer, or for your own labels; each score has its interval.

    PREDICTIONS is SQuAD's JSON of id to answer; a .tsv, .csv or .jsonl with a column `prediction` (and `index` or `id`
    if the rows are in another order); or a file of tags, one word per line. TASK `glue` takes a folder of such files.
    TASK may be your own file with a column of labels; leave PREDICTIONS out if that file holds the predictions too.

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

    record = evaluate(task, predictions, **chosen(choices))
    if as_json:
        say_json(record.to_json().rstrip("\n"))
    else:
        say(_terminal_text(record))


def _terminal_text(record: Record) -> str:
    """Return the text for the terminal: a line per score, how the kind of task was inferred, and notes on the data."""
    rows = record.tables["scores"].rows()
    several = len({row["task"] for row in rows}) > 1
    names = [f"{row['task']} {row['metric']}" if several else row["metric"] for row in rows]
    width = max(map(len, names))
    lines = [_line(name.ljust(width), row) for name, row in zip(names, rows, strict=True)]
    read_as = [finding.text for finding in record.findings if finding.name == "method.task"]
    notes = [f"note: {finding.text}" for finding in record.findings if finding.name.startswith("warning.")]
    return "\n".join([*lines, *read_as, *notes])


def _line(name: str, row: dict[str, Any]) -> str:
    digits = row["digits"]
    score = f"{name}  {row['score']:>9.{digits}f}"
    if row["low"] is None:
        return score
    bounds = f"{row['low']:.{digits}f} to {row['high']:.{digits}f}"
    return f"{score}  95 % {bounds}, {row['items']:,} {row['unit']}"
