"""`wordworth finetune`: fine-tune an encoder on a task, with several seeds, and keep the best model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.command import Command
from wordworth.cli.main_process import say
from wordworth.cli.output import warned
from wordworth.cli.progress_bars import Bars
from wordworth.cli.task_kind_option import task_kind_option


@click.command(
    "finetune",
    cls=Command,
    former_options={"--rate": "--learning-rate", "--batch": "--batch-size", "--tokens": "--max-length"},
)
@click.argument("task", required=False)
@click.option("--data", type=click.Path(path_type=Path), help="A file of labelled text, in place of a named task.")
@click.option(
    "--learn-from", help="With a named task: another task of its kind to train on, such as new_wiki for squad1."
)
@click.option("--held-out", help="With a named task: the part to test on, dev or test.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    help="With a named task: folder of its files. [default: $WORDWORTH_DATA]",
)
@click.option("--model", help="An encoder: a name, a folder or a hub name. [default: minilm]")
@click.option(
    "--recipe", type=click.Choice(["modern", "paper"]), help="Today's procedure, or the BERT paper's. [default: modern]"
)
@click.option(
    "--grid",
    type=click.Choice(["none", "paper"]),
    help="First search the paper's learning rates, batch sizes and epochs.",
)
@click.option("--restarts", type=int, help="Number of runs with different seeds. [default: 5]")
@click.option("--learning-rate", type=float, help="Peak learning rate. [default: by the encoder's width]")
@click.option("--batch-size", type=int, help="Examples per update. [default: 16; paper: 32]")
@click.option("--epochs", type=float, help="Passes over the training part. [default: by its size; paper: 3]")
@click.option(
    "--max-length",
    type=int,
    help="Maximum length of an input in tokens. [default: 128; choice 256, span 384, tags 512]",
)
@click.option("--pooling", help="pooler, mean, cls, ... [default: as the checkpoint was made]")
@click.option("--no-embeddings", "embeddings", flag_value=False, default=None, help="Freeze the embeddings.")
@click.option("--context", type=int, help="For tags: read each sentence within this many tokens of its document.")
@click.option("--crf", is_flag=True, default=None, help="For tags: decode with a CRF.")
@click.option("--bilstm", is_flag=True, default=None, help="Add a BiLSTM between the encoder and the output layer.")
@click.option(
    "--features", help="For tags: freeze the encoder and train a BiLSTM on: last, concat-last-four, weighted-all, ..."
)
@click.option("--dev", help="Share of the training part held out to choose on; with --data also a file. [default: 0.1]")
@click.option("--seed", type=int, help="Random seed. [default: 0]")
@click.option("--device", help="cpu, cuda, or auto, which uses a GPU if there is one. [default: auto]")
@click.option(
    "--processes",
    type=int,
    help="Runs at the same time. [default: one per core, or one per GPU, which can hold several]",
)
@click.option("--threads", type=int, help="Threads per run. [default: 1]")
@click.option("--save-every", type=float, help="Seconds between checkpoints. [default: 60]")
@click.option("--text", help="With --data: column of the texts.")
@click.option("--label", multiple=True, help="With --data: column of the labels. Repeatable, for 0/1 columns.")
@click.option("--text-b", help="With --data: column of the second texts.")
@task_kind_option(
    "With --data: classification, pair_classification, regression, multilabel, tagging, multiple_choice, "
    "question_answering."
)
@click.option("--test", help="With --data: a file to test on, or a share of the rows.")
@click.option("--limit", type=int, help="With --data: most rows to use.")
@click.option("--skip-unusable", is_flag=True, default=None, help="With --data: leave out rows without a label.")
@click.option("--format", help="With --data: csv, tsv, jsonl, parquet or conll.")
@click.option("--metric", help="With --data: accuracy, macro_f1, matthews, f1:CLASS, spearman, entity_f1, ...")
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
    give your own with --data. The best run's model is saved in --out/model; transformers loads it if it has such a
    class.

    \b
    Examples:
      wordworth finetune cola --model minilm --out run/
      wordworth finetune rte --grid paper --recipe paper --restarts 5
      wordworth finetune --data reviews.csv --text text --label label --out run/
      wordworth finetune --data questions.json --kind question_answering --out run/
      wordworth finetune squad1 --learn-from new_wiki
      wordworth finetune conll2003 --features concat-last-four
    """
    from wordworth.studies.finetune import finetune

    chosen = {name: value for name, value in choices.items() if value not in (None, ())}
    if len(chosen.get("label", ())) == 1:
        (chosen["label"],) = chosen["label"]
    record = finetune(task, out=out, progress=Bars(), **chosen)
    verdict = record.finding("verdict")
    say(f"\n{verdict.numbers['headline']}\n{verdict.text}\n{warned(record)}\n{out / 'report.html'}")
