"""A static table as a rung: located and loaded when the rung is opened, so that a ladder can be listed without it."""

from __future__ import annotations

from dataclasses import dataclass, field

from wordworth.models.static.read import read_static
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.rung import RunContext, Rung
from wordworth.representations.static import Static
from wordworth.tasks.task import Kind, Task


@dataclass(frozen=True, slots=True)
class StaticRung(Rung):
    """A static table under a head, by a catalogue name, a local file or folder, or a cached hub name."""

    source: str
    name: str
    title: str
    head: Head = field(default_factory=LinearHead)
    family = "static"

    def kinds(self) -> frozenset[Kind]:
        """Return the head's kinds of task."""
        return self.head.kinds

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Load the table and pool it over every text.

        Raises:
            BadInput: the table is not on this machine (the error shows the command that installs it), or its file is
                damaged.
        """
        representation = Static(read_static(self.source, kept=True), self.name, self.title)
        return RepresentationRung(representation, self.head).open(task, run_context)


def glove(head: Head) -> StaticRung:
    """Return the rung of GloVe 6B 50d, 400,000 words."""
    return StaticRung("glove", "glove", "GloVe", head)


def wordllama(head: Head) -> StaticRung:
    """Return the rung of WordLlama, 32,000 subwords distilled from large language models."""
    return StaticRung("wordllama", "wordllama", "WordLlama", head)
