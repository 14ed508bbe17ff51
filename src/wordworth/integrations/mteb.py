"""An encoder or static table as a model of MTEB, and a file of labelled texts as a task of MTEB.

mteb.evaluate(MtebModel("minilm"), csv_task("reviews.csv", text="text", label="label"), cache=None)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, MissingExtra
from wordworth.files import content_key
from wordworth.models.load import load
from wordworth.models.static_embeddings import StaticTable
from wordworth.sources import resolve, short_name
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Rows, Task
from wordworth.text.file_formats.in_memory import TableSource, as_file
from wordworth.text.windows import LongTexts

try:
    from datasets import Dataset, DatasetDict
    from mteb import TaskMetadata
    from mteb.abstasks import AbsTask
    from mteb.abstasks.classification import AbsTaskClassification
    from mteb.abstasks.regression import AbsTaskRegression
    from mteb.models import ModelMeta
except ModuleNotFoundError as error:
    raise MissingExtra("mteb", "mteb") from error

Floats = NDArray[np.float32]


class MtebModel:
    """An encoder or static table on this machine as a model of MTEB, which has the interface `EncoderProtocol`.

    Args:
        model: a name of the catalogue, a folder, or a name of the hub that is in its cache.
        revision: not used, as the files on this machine are the revision.
        device: not used, as the encoder is where `wordworth.load` puts it.
        long_texts: how an encoder reads a text longer than its window: `window`, `cut` or `error`.
    """

    def __init__(
        self,
        model: str,
        revision: str | None = None,  # noqa: ARG002 - MTEB's interface
        *,
        device: str | None = None,  # noqa: ARG002 - MTEB's interface
        long_texts: LongTexts = "window",
    ) -> None:
        self.model, self.long_texts = model, long_texts
        self._loaded = load(model)
        resolved = resolve(model)
        self._revision = content_key(*(resolved.sha256[path] for path in sorted(resolved.sha256)))[:12]

    def encode(self, inputs: Iterable[Mapping[str, Any]], **_: object) -> Floats:
        """Return the vectors of all texts of the batches, float32 [texts, width]; no prompt is added to the texts.

        Args:
            inputs: batches with their texts under `text`.
        """
        texts = [str(text) for batch in inputs for text in batch["text"]]
        if isinstance(self._loaded, StaticTable):
            return self._loaded.encode(texts)
        return self._loaded.embed(texts, long_texts=self.long_texts).vectors

    def similarity(self, embeddings1: NDArray[Any], embeddings2: NDArray[Any]) -> Floats:
        """Return the cosine of each vector of the first array with each of the second, float32 [n, m].

        A vector of zeros has the cosine 0 with every vector.

        Args:
            embeddings1: float [n, width].
            embeddings2: float [m, width].
        """
        cosines: Floats = _unit(embeddings1) @ _unit(embeddings2).T
        return cosines

    def similarity_pairwise(self, embeddings1: NDArray[Any], embeddings2: NDArray[Any]) -> Floats:
        """Return the cosine of row i of `embeddings1` with row i of `embeddings2`, float32 [n]; 0 for a zero vector.

        Args:
            embeddings1: float [n, width].
            embeddings2: float [n, width].
        """
        return np.asarray((_unit(embeddings1) * _unit(embeddings2)).sum(1), dtype=np.float32)

    @property
    def mteb_model_meta(self) -> ModelMeta:
        """Metadata of the model for MTEB, with a hash of the weights as the revision."""
        limit = None if isinstance(self._loaded, StaticTable) else float(self._loaded.max_length)
        return ModelMeta.create_empty(
            overwrites={
                "name": f"wordworth/{short_name(self.model)}",
                "revision": self._revision,
                "embed_dim": self._loaded.width,
                "max_tokens": limit,
                "similarity_fn_name": "cosine",
            }
        )


def csv_task(
    path: TableSource,
    *,
    text: str | None = None,
    label: str | None = None,
    kind: str | None = None,
    name: str | None = None,
    language: str = "eng-Latn",
) -> AbsTask:
    """Return a task of MTEB for a file of texts labelled with classes or numbers (CSV, TSV, JSON Lines, Parquet).

    The file is read and split as by `wordworth worth`, so that MTEB tests on the same rows.

    Args:
        path: the file, or a table in memory.
        text: column of the texts; None guesses it.
        label: column of the labels; None guesses it.
        kind: `classification` or `regression`; None guesses it from the labels.
        name: name of the task; by default made of the file's name.
        language: language of the texts, as a code of three letters and a script.

    Raises:
        BadInput: the file cannot be used, or its labels are neither classes nor numbers.
    """
    with as_file(path) as file:
        task = read_task(file, ReadSettings(text=text, label=label, kind=kind))
    return task_of(task, name=name, language=language)


def task_of(task: Task, *, name: str | None = None, language: str = "eng-Latn") -> AbsTask:
    """Return the MTEB task for a Wordworth task with one text and one label an example.

    MTEB scores a classification by the accuracy of a logistic regression on eight texts of each class, ten times, and a
    regression by Kendall's tau.

    Args:
        task: the task, of kind `classification` or `regression`.
        name: name of the MTEB task; by default made of the data's name.
        language: language of the texts, as a code of three letters and a script.

    Raises:
        BadInput: the task is of another kind, or is a regression of pairs of texts.
    """
    one_class, number = task.type.multiclass, task.type.numeric
    if not (one_class or number) or task.examples.second is not None:
        what = f"a task of kind {task.kind} has no counterpart here"
        raise BadInput(what, where=task.name, mend="give texts with one class or one number each")
    base, kind = (AbsTaskClassification, "Classification") if one_class else (AbsTaskRegression, "Regression")
    metadata = _metadata(task, name or _task_name(task.name), kind, language)
    made: AbsTask = type(metadata.name, (base,), {"metadata": metadata})()
    parts = {"train": task.train, "test": task.test}
    made.dataset = DatasetDict({part: _dataset(task, rows, base.label_column_name) for part, rows in parts.items()})
    made.data_loaded = True
    return made


def _metadata(task: Task, name: str, kind: str, language: str) -> TaskMetadata:
    revision = content_key(*(origin.sha256 for origin in task.origins), task.train.tobytes(), task.test.tobytes())[:12]
    return TaskMetadata(
        name=name,
        description=f"{task.name}, as Wordworth reads and splits it.",
        dataset={"path": task.name, "revision": revision},
        type=kind,
        category="t2c",
        eval_splits=["test"],
        eval_langs=[language],
        main_score="accuracy" if kind == "Classification" else "kendalltau",
        is_public=False,
    )


def _dataset(task: Task, rows: Rows, label: str) -> Dataset:
    """Return rows of a task as a data set for MTEB, with the columns `text` and (named `label`) the label."""
    texts = [task.examples.first[row] for row in rows]
    return Dataset.from_dict({"text": texts, label: np.asarray(task.gold(rows)).tolist()})


def _task_name(name: str) -> str:
    """Return the name of a task from the name of its file, such as `Reviews` from `reviews.csv`."""
    words = re.findall(r"\w+", Path(name).stem) or ["Texts"]
    return "".join(word[:1].upper() + word[1:] for word in words)


def _unit(vectors: NDArray[Any]) -> Floats:
    """Return vectors scaled to length 1; zeros stay zeros."""
    values = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
    lengths = np.linalg.norm(values, axis=1, keepdims=True)
    return np.asarray(values / np.where(lengths > 0, lengths, 1), dtype=np.float32)
