"""A static table as a rung: found and read when the rung is opened, so that a ladder can be listed without it."""

from __future__ import annotations

from dataclasses import dataclass, field

from wordworth.models.static.read import read_static
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Head
from wordworth.representations.heads.linear import LinearHead
from wordworth.representations.rung import Family, RunContext
from wordworth.representations.static import Static
from wordworth.tasks.task import Kind, Task


@dataclass(frozen=True, slots=True)
class StaticRung:
    """A catalogue name, a local file or folder, or a cached hub name, under a head."""

    source: str
    name: str
    title: str
    head: Head = field(default_factory=LinearHead)
    family: Family = "static"

    def kinds(self) -> frozenset[Kind]:
        """What the head can do."""
        return self.head.kinds

    def open(self, task: Task, run_context: RunContext) -> RepresentationLearner:
        """Read the table and pool it over every text.

        Raises:
            BadInput: the table is not on this machine (with the line that installs it), or its file is damaged.
        """
        representation = Static(read_static(self.source, kept=True), self.name, self.title, self.family)
        return RepresentationRung(representation, self.head).open(task, run_context)


def glove(head: Head) -> StaticRung:
    """GloVe 6B 50d, 400,000 words."""
    return StaticRung("glove", "glove", "GloVe", head)


def wordllama(head: Head) -> StaticRung:
    """WordLlama, 32,000 subwords distilled from large language models."""
    return StaticRung("wordllama", "wordllama", "WordLlama", head)
