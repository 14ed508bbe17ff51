"""The distilled rung: a table with one vector per word, made by a contextual encoder from the training texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from wordworth.files import content_key
from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static.subword_tables import read_model2vec
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.rung import RunContext, Rung
from wordworth.representations.shared_encoder import load_encoder
from wordworth.representations.static import Static
from wordworth.seeds import child
from wordworth.sources import display_name, short_name
from wordworth.tasks.task import Kind, Task

SETTINGS = DistilSettings(method="mean", layer=-1, least=3, occurrences=100, sif=None)
"""The table replaces the mean of the last layer over a text: so vectors are means too, without weights."""
MOST_CHARACTERS = 1_500_000
"""Characters of the training texts that are read at most: about a quarter of a million words."""


@dataclass(frozen=True, slots=True)
class DistilledRung(Rung):
    """The table that `to-static` makes from an encoder and the training texts, under a head; without labels.

    The folds of a choice are judged by tables that have not read their held-out texts (`LeaveOutTable`).

    Args:
        model: a catalogue name, a folder or a cached hub name.
        head: above it.
    """

    model: str
    head: Head = field(default_factory=LinearHead)
    family = "static"

    @property
    def name(self) -> str:
        """`minilm-static`."""
        return f"{short_name(self.model)}-static"

    @property
    def title(self) -> str:
        """`MiniLM as a table`."""
        return f"{display_name(self.model)} as a table"

    def kinds(self) -> frozenset[Kind]:
        """Return the head's kinds of task."""
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
        key, alone = vectors_key(encoder, "representations"), [np.zeros((0, encoder.model.width), np.float32)]

        def keep(what: str, make: Callable[[], NDArray[np.float32]]) -> NDArray[np.float32]:
            alone.append(run_context.cache.array(content_key(key, what), make))
            return alone[-1]

        texts, read = list(training_texts(task, run_context.seed)), Occurrences()
        made = distil(encoder, lambda: (text for _, text in texts), SETTINGS, run_context.progress, keep, read)
        with TemporaryDirectory() as folder:  # the table is judged as it would be shipped, rounding included
            made.save(folder)
            table = read_model2vec(Path(folder), self.name)
        static = Static(table, self.name, self.title, told=made.told)
        spare = spelled_alone(made, tokenizer_of(encoder), alone[-1])
        leave_out = LeaveOutTable.of(table, made, read, np.array([row for row, _ in texts]), spare)
        learner = RepresentationRung(static, self.head).open(task, run_context)
        return replace(learner, without=lambda rows: replace(static, table=leave_out.without(rows)))


def training_texts(task: Task, seed: int) -> Iterator[tuple[int, str]]:
    """Yield rows of the training part with their texts, both of a pair, in random order up to `MOST_CHARACTERS`."""
    left = MOST_CHARACTERS
    for row in child(seed, "distil").permutation(task.train).tolist():
        for side in (task.examples.first, task.examples.second):
            if side is not None and left > 0:
                left -= len(side[row])
                yield row, side[row]
