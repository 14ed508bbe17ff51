"""`wordworth study words`: what tables know of single words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wordworth.cli.bars import Bars

if TYPE_CHECKING:
    from wordworth.records import Record


@click.command("words")
@click.option("--model", "models", multiple=True, required=True, help="A static table: a name or path. Repeatable.")
@click.option("--sets", multiple=True, help="Sets, kinds of sets, or all. Repeatable. [default: all]")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the sets. [default: $WORDWORTH_DATA/wordsets]")
@click.option("--candidates", type=click.Choice(["table", "sets"]), help="What may answer an analogy. [default: table]")
@click.option("--most", type=int, help="Look at so many of a table's first words. [default: 300,000]")
@click.option("--method", type=click.Choice(["add", "mul"]), help="Of analogies. [default: add]")
@click.option("--draws", type=int, help="Resampled sets behind each interval. [default: 1,000]")
@click.option("--seed", type=int, help="Of the resampling and of k-means. [default: 0]")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for record.json and report.html.")
def command(models: tuple[str, ...], out: Path | None, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Score static tables on word benchmarks: similarity, analogy, category, relation.

    Each score is given for both ways with words that a table lacks (`mean`: the mean vector stands for them; `drop`:
    what has one is left out), and for several tables also over what all of them know (`common`).

    \b
    Examples:
      wordworth study words --model static/ --sets all
      wordworth study words --model static/ --model glove --model wordllama --sets similarity --out run/
      wordworth study words --model vectors.txt --sets google --method mul
    """
    from wordworth.files import write_text
    from wordworth.pages import render
    from wordworth.studies.words import words

    given = {name: value for name, value in choices.items() if value not in (None, ())}
    record = words(models, progress=Bars(), **given)
    if out is not None:
        record.save(out / "record.json")
        write_text(out / "report.html", render(record))
    click.echo(_shown(record))


def _shown(record: Record) -> str:
    """A line a score, the means, and what is to be known about the tables."""
    rows = [{**row, "share": row["items"] / row["of"]} for row in record.tables["scores"].rows()]
    rows += [
        {**row, "set": "similarity", "metric": "mean", "share": row["covered"]} for row in record.tables["means"].rows()
    ]
    names = [f"{row['model']}  {row['set']}  {row['metric']}" for row in rows]
    width = max(map(len, names), default=0)
    lines = [_line(name.ljust(width), row) for name, row in zip(names, rows, strict=True)]
    notes = [f"note: {finding.text}" for finding in record.findings if finding.name.startswith("method.")]
    return "\n".join([*lines, *notes])


def _line(name: str, row: dict[str, Any]) -> str:
    between = f"{row['low']:.3f} to {row['high']:.3f}"
    return f"{name}  {row['policy']:<6}  {row['score']:>6.3f}  95 % {between}, {row['share']:.1%} of the items"
