"""`wordworth finetune`: fine-tune an encoder on a task, with several seeds, and keep the best model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options, todays_kind
from wordworth.cli.study_output import say_verdict
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.training.finetuning.settings import FinetuneSettings


@click.command(
    "finetune",
    cls=Command,
    former_options={"--rate": "--learning-rate", "--batch": "--batch-size", "--tokens": "--max-length"},
)
@click.argument("task", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="A file of labelled text, in place of a named task.")
@click.option(
    "--learn-from", help="With a named task: another task of its kind to train on (squadshifts_new_wiki for squad1)."
)
@click.option("--held-out", help="With a named task: the part to test on, dev or test.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="With a named task: folder of its files. [default: $WORDWORTH_DATA]",
)
@click.option(
    "--then",
    multiple=True,
    help="Staged transfer: a named task or a file to learn afterwards, from the runs of the task before. Repeatable.",
)
@settings_options(FinetuneSettings)
@settings_options(ReadSettings, prefix="With --data: ", kind=todays_kind)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("run"),
    show_default=True,
    help="Folder for record.json, report.html, model/ and the runs.",
)
def command(task: str | None, out: Path, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Fine-tune an encoder on a task, with several seeds. If it is stopped, the same command resumes.

    TASK is a named task (cola, sst2, mrpc, stsb, qqp, mnli, qnli, rte, wnli, squad1, squad2, swag, conll2003, ...);
    give your own with --data. The best run's model is saved in --out/model; transformers loads it if it has a class for
    models of this kind.

    \b
    Examples:
      wordworth finetune cola --model minilm --out run/
      wordworth finetune rte --grid paper --recipe paper --restarts 5
      wordworth finetune --data reviews.csv --text text --label label --out run/
      wordworth finetune --data questions.json --kind question_answering --out run/
      wordworth finetune squad1 --learn-from squadshifts_new_wiki
      wordworth finetune conll2003 --features concat-last-four
      wordworth finetune snli --then codah --controls --restarts 3 --out run/
    """
    from wordworth.studies.finetune import finetune

    record = finetune(task, out=out, progress=Bars(), **chosen(choices))
    verdict = record.finding("verdict")
    say_verdict(record, out, f"{verdict.numbers['headline']}\n{verdict.text}")
