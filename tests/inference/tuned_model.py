"""A small fine-tuned model in a folder, and labelled rows that it can be asked about."""

import csv
from pathlib import Path

from tests.models.tiny import write_tiny
from tests.tasks.reading.test_question_files import lines, spans
from tests.training.finetuning.test_checkpoint import facts_of
from tests.training.finetuning.test_trainer import EAGER, begun

from wordworth.models.read_encoder import read_encoder
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.checkpoint import save_finetuned

BRIEF = {"restarts": 1, "learning_rate": 3e-3, "epochs": 1, "dev": 0.2, "processes": 1}
"""The settings of a fine-tuning that takes a second."""


def write_tuned(folder: Path, family="bert", kind="single", pooling="mean", steps=30) -> Path:
    """A network that has learned a little, in `folder / "model"`; its task has words of the tiny vocabulary."""
    longest = "n_positions" if family == "gpt2" else "max_position_embeddings"
    encoder = read_encoder(write_tiny(folder / "encoder", family, **{longest: 130}))
    config = type(EAGER)(steps=steps, batch_size=8, learning_rate=1e-3, pooling=pooling, bf16=False)
    task, _, run = begun(encoder, kind, rows=64, config=config)
    run.loop.train(steps)
    save_finetuned(folder / "model", encoder, run.tuned, facts_of(task, pooling))
    return folder / "model"


def tagged(path, documents):
    """Sentences with their tags, so many of them in a document; none marked where that is 0."""
    task = sample_task("tags", 150)
    rows = zip(task.examples.words, task.labels, strict=True)
    sentences = [{"words": words, "tags": [task.classes[tag] for tag in tags]} for words, tags in rows]
    return lines(
        path, [row | ({"document": f"d{at // documents}"} if documents else {}) for at, row in enumerate(sentences)]
    )


def labelled_rows(folder: Path, kind) -> Path:
    """A file of labelled rows for a model of `write_tuned` of the same kind."""
    return tagged(folder / "rows.jsonl", 0) if kind == "tags" else write_rows(folder / "rows.csv", sample_task(kind))


def write_rows(path: Path, task, rows=None) -> Path:
    """Rows of a task of texts with classes or values, as a CSV."""
    rows = range(len(task.examples.first)) if rows is None else rows
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        for row in rows:
            writer.writerow([task.examples.first[row], task.label_text(task.labels[row], row)])
    return path


def unanswered(count=80):
    """Every other question has no answer in its context."""
    return [row if number % 2 else row | {"answers": []} for number, row in enumerate(spans(count))]
