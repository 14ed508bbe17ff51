"""Vectors that a user computed elsewhere, such as with a paid API, with the price of a million of them."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.static.weights import mapped
from wordworth.representations.feature_blocks import Features
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.lazy_views import Lazy, pair_views
from wordworth.representations.representation import Representation
from wordworth.representations.rung import Cost, RunContext, Rung
from wordworth.tasks.task import Examples, Kind, Task
from wordworth.tasks.task_types import ABOUT_TEXTS, todays_names
from wordworth.text_format import some_of

_MEND = "give one row of numbers per text: .npy in the order of the data's rows, or .parquet with a column of texts"


@dataclass(frozen=True, slots=True)
class VectorFile(Representation):
    """Vectors of the task's texts from a file.

    Attributes:
        vectors: float [n, d].
        rows: text (or pair of texts, if `whole`) -> row of its vector.
        whole: whether a pair has one vector, not one for each text.
        price: of the vectors of a million texts.
    """

    name: str
    title: str
    vectors: np.ndarray
    rows: Mapping[Hashable, int]
    whole: bool
    price: float = 0.0
    family = "frozen"
    contextual = True

    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task about whole texts."""
        return ABOUT_TEXTS

    def views(self, examples: Examples, run_context: RunContext) -> Mapping[str, Features]:  # noqa: ARG002 - a Representation
        """Return the user's vectors.

        Raises:
            BadInput: a text has no vector.
        """
        if self.whole:
            return {"given": self._vectors_of(_example_keys(examples))}
        first = self._vectors_of(examples.first)
        if examples.second is None:
            return {"given": first}
        second = self._vectors_of(examples.second)
        return Lazy(pair_views({"given": lambda: first}, {"given": lambda: second}))

    def cost(self) -> Cost:
        """Return the price; the size of the model behind the vectors is unknown and counts as 0."""
        return Cost(disk_bytes=0, parameters=0, num_features=self.vectors.shape[1], price_per_million=self.price)

    def _vectors_of(self, keys: Sequence[Hashable]) -> NDArray[np.float32]:
        missing = [key for key in keys if key not in self.rows]
        if missing:
            raise BadInput(
                f"{some_of(len(missing), len(keys), 'texts has', 'texts have')} no vector, "
                f"the first {str(missing[0])[:60]!r}",
                where=self.name,
                mend="embed every text of the data, test part included",
            )
        vectors = np.asarray(self.vectors[[self.rows[key] for key in keys]], dtype=np.float32)
        if not np.isfinite(vectors).all():
            raise BadInput("a vector holds NaN or infinity", where=self.name, mend="embed the texts again")
        return vectors


@dataclass(frozen=True, slots=True)
class VectorFileRung(Rung):
    """A rung of a user's vectors under a head; the attributes are those of `VectorFile`."""

    path: Path
    name: str
    title: str
    price: float = 0.0
    head: Head = field(default_factory=LinearHead)
    family = "frozen"
    contextual = True

    def kinds(self) -> frozenset[Kind]:
        """Return the kinds of task about whole texts that the head supports."""
        return ABOUT_TEXTS & todays_names(self.head.kinds)

    def prepare(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Read the file and assign its vectors to the task's texts.

        Raises:
            BadInput: the file is unreadable, its rows are not those of the data, or a text has no vector.
        """
        if self.path.suffix == ".npy":
            vectors, rows, whole = mapped(self.path), self._in_order(task, len(mapped(self.path))), True
        else:
            vectors, texts = read_parquet(self.path)
            whole = texts is None
            rows = self._in_order(task, len(vectors)) if texts is None else _row_of(texts)
        representation = VectorFile(self.name, self.title, vectors, rows, whole, self.price)
        return RepresentationRung(representation, self.head).prepare(task, run_context)

    def _in_order(self, task: Task, count: int) -> Mapping[Hashable, int]:
        """Assign row i of the file to row i of the data as read, the training file's rows first."""
        read = sum(origin.rows for origin in task.origins) or len(task.examples)
        numbers = np.arange(len(task.examples)) if task.numbers is None else task.numbers
        if count != read or (task.numbers is None and read != len(task.examples)):
            raise BadInput(f"{count} vectors, but the data has {read} rows", where=str(self.path), mend=_MEND)
        return dict(zip(_example_keys(task.examples), numbers.tolist(), strict=True))


def read_parquet(path: Path) -> tuple[np.ndarray, list[str] | None]:
    """Return the vectors, float32 [n, d], and the column of texts; None if there is no such column.

    The vectors are a column of lists, or else all numeric columns side by side.

    Raises:
        BadInput: the file is unreadable, holds no vectors, or vectors of several widths.
    """
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise BadInput(f"not a readable parquet file: {error}", where=str(path), mend=_MEND) from error
    kinds = {name: table.schema.field(name).type for name in table.column_names}
    lists = [name for name, kind in kinds.items() if _is_list(kind)]
    numbers = [name for name, kind in kinds.items() if pa.types.is_floating(kind)]
    texts = [name for name, kind in kinds.items() if pa.types.is_string(kind) or pa.types.is_large_string(kind)]
    if lists:
        vectors = _stacked(table.column(lists[0]), path)
    elif numbers:
        vectors = np.stack([table.column(name).to_numpy() for name in numbers], axis=1).astype(np.float32)
    else:
        raise BadInput("no column of vectors", where=str(path), mend=_MEND)
    named = "text" if "text" in texts else next(iter(texts), None)
    return vectors, None if named is None else [str(text) for text in table.column(named).to_pylist()]


def _is_list(kind: Any) -> bool:  # noqa: ANN401 - pyarrow has no types
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _stacked(column: Any, path: Path) -> NDArray[np.float32]:  # noqa: ANN401 - pyarrow has no types
    array = column.combine_chunks()
    flat = np.asarray(array.flatten().to_numpy(zero_copy_only=False), dtype=np.float32)
    widths = np.asarray(pc.list_value_length(array).to_numpy(zero_copy_only=False))
    if array.null_count or len(widths) == 0 or not (widths == widths[0]).all() or not widths[0]:
        raise BadInput("vectors are missing or of several widths", where=str(path), mend=_MEND)
    return flat.reshape(len(widths), -1)


def _example_keys(examples: Examples) -> Sequence[Hashable]:
    return examples.first if examples.second is None else list(zip(examples.first, examples.second, strict=True))


def _row_of(texts: Sequence[str]) -> dict[Hashable, int]:
    """Return the first row of each text."""
    return {text: row for row, text in reversed(list(enumerate(texts)))}
