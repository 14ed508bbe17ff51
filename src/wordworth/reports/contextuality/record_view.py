"""A `context` record prepared for its page: the curves of each measure, and the texts around its chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from wordworth.reports.charts.measure_by_layer import Curve
from wordworth.reports.layer_figure import LayeredView
from wordworth.reports.number_format import finite
from wordworth.reports.record_view import Row

STOP_WORDS = "stop_words"
_REPEATED = "self_similarity_repeated"
_INDISTINGUISHABLE = 0.005
"""Difference below which two curves look like one."""


@dataclass(frozen=True)
class View(LayeredView):
    """A `context` record prepared for its page, with the curves of each measure."""

    needed = frozenset({"models", "layers"})

    @cached_property
    def layers(self) -> list[Row]:
        """The rows of the table `layers`, one for each model, layer and measure."""
        return self.rows("layers")

    @cached_property
    def measures(self) -> frozenset[str]:
        """The names of the measures that have a chart on the page.

        Every measure that was computed has a chart. Self-similarity with repeated sentences kept is an exception: it
        has a chart only if `repetitions_matter`.
        """
        measured = {str(row["measure"]) for row in self.layers}
        return frozenset(measured if self.repetitions_matter else measured - {_REPEATED})

    @cached_property
    def repetitions_matter(self) -> bool:
        """Whether a measure changes visibly at any layer if repeated sentences are kept in the texts."""
        pairs = [(finite(row["value"]), finite(row["null"])) for row in self.measured(_REPEATED)]
        return any(abs(v - null) > _INDISTINGUISHABLE for v, null in pairs if v is not None and null is not None)

    def measured(self, measure: str) -> list[Row]:
        """Return the rows of the table `layers` that belong to one measure."""
        return [row for row in self.layers if row["measure"] == measure]

    def curves(self, measure: str) -> tuple[Curve, ...]:
        """Return the curves of a measure, one for each model that has a value."""
        rows = self.measured(measure)
        return tuple(curve for name in self.styles if (curve := self.curve(name, rows, null="null")).values)

    @cached_property
    def stop_words(self) -> dict[str, list[Row]]:
        """Name of each model with layers -> its rows of the table `stop_words`."""
        layered = [str(row["model"]) for row in self.models if row["layers"]]
        rows = {name: [row for row in self.rows("stop_words") if row["model"] == name] for name in layered}
        return {name: own for name, own in rows.items() if own}


@dataclass(frozen=True, slots=True)
class Panel:
    """The texts around the chart of one measure: title, title of the vertical axis, and meaning of the measure."""

    title: str
    axis: str
    note: str


WORDS = {
    "self_similarity_adjusted": Panel(
        "How alike a word's occurrences are, above the baseline",
        "cosine above the baseline",
        "Two occurrences of one word, minus two of any words. Low: context decides what a word's vector is.",
    ),
    "self_similarity": Panel(
        "How alike a word's occurrences are, plain cosine",
        "cosine",
        "Two occurrences of one word. The dotted null is any two occurrences.",
    ),
    "self_similarity_centred": Panel(
        "How alike a word's occurrences are, mean vector subtracted",
        "cosine, mean subtracted",
        "Later work found that a few large dimensions make most plain cosines; without the mean they weigh less.",
    ),
    "self_similarity_repeated": Panel(
        "How alike a word's occurrences are, repeated sentences left in",
        "cosine above the baseline",
        "Repeated sentences make their words look alike. Dotted: the same words with each sentence once.",
    ),
}
_SENTENCES = {
    "between_words": Panel(
        "How alike the words of one sentence are, above the baseline",
        "cosine above the baseline",
        "Any two words of a sentence. Its null is sentences of the same lengths made of any words.",
    ),
    "intra_sentence": Panel(
        "How alike a word and the mean of its sentence are, as the paper measured it",
        "cosine above the baseline",
        "A word and the mean of its sentence, itself in it: far above 0 in short sentences even where context does "
        "nothing. Only the distance from the dotted null tells.",
    ),
}
_EXPLAINED = {
    "explained_literal": Panel(
        "Share of a word's squared length that one fixed vector holds",
        "share",
        "The paper's formula. Mostly the share of the mean.",
    ),
    "explained_centred": Panel(
        "Share of a word's variance that one direction holds", "share", "What is left once the mean is gone."
    ),
    "explained_published": Panel(
        "Share of a word's variance along its mean, as the paper's statistics have it",
        "share",
        "The variance that lies along the mean direction: small although one vector holds most of the length.",
    ),
}
_SPACE = {
    "baseline": Panel(
        "How alike any two occurrences are", "mean cosine", "The anisotropy that the adjusted measures subtract."
    ),
    "iso_score": Panel(
        "How evenly directions are used",
        "IsoScore",
        "1: the same variance everywhere; the mean plays no part. The dotted null is as many isotropic points.",
    ),
    "top_share": Panel(
        "Share of the baseline that three dimensions make", "share", "The part of the mean cosine from three of all."
    ),
    "length": Panel(
        "Length of vectors", "length", "Of all but first vectors, in the model's own units, so that it has no null."
    ),
    "length_first": Panel(
        "Length of first vectors", "length", "Of the first vector of each sentence: some models put a giant there."
    ),
}
GROUPS: Mapping[str, Mapping[str, Panel]] = {
    "Words in different places": WORDS,
    "Words of one sentence": _SENTENCES,
    "Could one vector do?": _EXPLAINED,
    "The space itself": _SPACE,
}
PANELS = {measure: panel for panels in GROUPS.values() for measure, panel in panels.items()}
"""The texts of every measure."""
