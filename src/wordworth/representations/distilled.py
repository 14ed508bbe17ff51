"""The distilled rung: a table of one vector a word, made of a contextual encoder from the training texts themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static.model2vec import read_model2vec
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.rung import Family, RunContext
from wordworth.representations.shared_encoder import display_name, load_encoder, short_name, vectors_key
from wordworth.representations.static import Static
from wordworth.seeds import child
from wordworth.tasks.task import Kind, Task

SETTINGS = DistilSettings(method="mean", layer=-1, least=3, occurrences=100, sif=None)
"""The mean over a text of the last layer is what the table stands in for: so the mean, and no weights."""
MOST_CHARACTERS = 1_500_000
"""Of the training texts, so much is read: a quarter of a million words or so."""


@dataclass(frozen=True, slots=True)
class DistilledRung:
    """What `to-static` makes of an encoder and the training texts, under a head; labels and test texts are not seen.

    The folds of a choice are judged by tables that have not met their held-out texts (`LeaveOutTable`).

    Args:
        model: a catalogue name, a folder or a cached hub name.
        head: above it.
    """

    model: str
    head: Head = field(default_factory=LinearHead)
    family: Family = "static"

    @property
    def name(self) -> str:
        """`minilm-static`."""
        return f"{short_name(self.model)}-static"

    @property
    def title(self) -> str:
        """`MiniLM as a table`."""
        return f"{display_name(self.model)} as a table"

    def kinds(self) -> frozenset[Kind]:
        """What the head can do."""
        return self.head.kinds

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Load the encoder, make the table and pool it over every text.

        Raises:
            BadInput: no encoder of that name is on this machine, its files are damaged, it has no vocabulary, or the
                training texts are too few.
            MissingExtra: torch is not installed.
        """
        from wordworth.models.static.distillation.distill import distil, tokenizer_of
        from wordworth.representations.leave_out_table import LeaveOutTable, Occurrences, spelled_alone

        encoder = load_encoder(self.model)
        key, alone = vectors_key(encoder), [np.zeros((0, encoder.model.width), np.float32)]

        def keep(what: str, make: Callable[[], NDArray[np.float32]]) -> NDArray[np.float32]:
            alone.append(run_context.cache.array(content_key(key, what), make))
            return alone[-1]

        given, read = list(training_texts(task, run_context.seed)), Occurrences()
        made = distil(encoder, lambda: (text for _, text in given), SETTINGS, run_context.progress, keep, read)
        with TemporaryDirectory() as place:  # what is judged is what would be shipped, its rounding included
            made.save(place)
            table = read_model2vec(Path(place), self.name)
        static = Static(table, self.name, self.title, self.family, told=made.told)
        spare = spelled_alone(made, tokenizer_of(encoder), alone[-1])
        leave_out = LeaveOutTable.of(table, made, read, np.array([row for row, _ in given]), spare)
        learner = RepresentationRung(static, self.head).open(task, run_context)
        return replace(learner, without=lambda rows: replace(static, table=leave_out.without(rows)))


def training_texts(task: Task, seed: int) -> Iterator[tuple[int, str]]:
    """Rows of the training part and their texts, both of a pair, in an order of their own until there are enough."""
    left = MOST_CHARACTERS
    for row in child(seed, "distil").permutation(task.train).tolist():
        for side in (task.examples.first, task.examples.second):
            if side is not None and left > 0:
                left -= len(side[row])
                yield row, side[row]
