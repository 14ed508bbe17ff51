"""A `languages` record prepared for its page: its kind of task, the nouns for it, and the captions of charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from wordworth.records import Record
from wordworth.reports import frozen_layers, translation_retrieval
from wordworth.reports.captions import Caption
from wordworth.reports.languages_wording import Wording, nearest_text_notes
from wordworth.reports.number_format import share
from wordworth.reports.record_view import RecordView, Row
from wordworth.sentence_formatting import count_of, percent, with_capital

TRANSLATIONS, TAGGING, PARSING, ANSWERING = "translations", "tagging", "parsing", "question_answering"
"""The kinds of task that a record names; a record of labels of texts names none."""
SYSTEMS = ("model", "random weights", "character n-grams")
"""The systems that look for the translation of a text."""


@dataclass(frozen=True)
class View(RecordView):
    """A `languages` record prepared for its page, with the nouns for its kind of task."""

    @property
    def task(self) -> str | None:
        """The kind of task that the record names; None for labels of texts."""
        return self.data.get("task")

    @property
    def is_of_texts(self) -> bool:
        """Whether the record is of labels of texts, so that it also has translations and probes of the language."""
        return self.task is None

    @cached_property
    def wording(self) -> Wording:
        """The nouns in the sentences about the record's kind of task."""
        if self.task == PARSING:
            return Wording.of_trees()
        if self.task == ANSWERING:
            return Wording.of_answers()
        return Wording.of_tags(str(self.data["metric"])) if self.task == TAGGING else Wording()

    @property
    def others(self) -> list[Row]:
        """The rows of the table `languages` for all languages but the source."""
        return self.rows("languages")[1:]


def captions(record: Record) -> Mapping[str, Caption]:
    """Return name of each chart of a `languages` record -> its caption."""
    view = View.of(record)
    if view.task == TRANSLATIONS:
        return translation_retrieval.retrieval_captions(view)
    of_vectors = {"translations": _translations(view), "layers": _layers(view)} if view.is_of_texts else {}
    of_freezing = {"frozen": frozen_layers.caption(view)} if view.rows("frozen") else {}
    return {"served": _served(view), "gaps": _gaps(view), **of_vectors, **of_freezing}


def _served(view: View) -> Caption:
    rows, words = view.rows("languages"), view.wording
    resampled, baseline = "contexts" if view.task == ANSWERING else words.units, with_capital(words.short)
    notes = (
        f"{with_capital(words.score)} with 95 % intervals over {resampled}.",
        f"{baseline} need no model, and learn from the same {words.labels}: what is not ahead is no gain.",
    )
    served = sum(row["served"] == "yes" for row in rows)
    return Caption(f"{view.data['model']} is surely ahead in {served} of {len(rows)}", notes)


def _gaps(view: View) -> Caption:
    rows, words = view.others, view.wording
    score = with_capital(words.score)
    notes = (
        f"{score} less that with own {words.labels} of the tested language: points, 95 % intervals.",
        f"In bold: where they give more than {words.constant}, random weights and {words.baseline}.",
    )
    carried = sum(row["transfers"] == "yes" for row in rows)
    everywhere = count_of(len(rows), "language")
    title = f"{with_capital(words.labels)} of {view.data['source']} carry over to {carried} of {everywhere}"
    return Caption(title, notes)


def _translations(view: View) -> Caption:
    rows = view.rows("retrieval")
    if not rows:
        return Caption("Translations", absent="No texts are known to be translations of each other.")
    model, _, ngrams = (_mean_found(rows, system) for system in SYSTEMS)
    notes = nearest_text_notes(str(view.data["source"]), "texts")
    return Caption(f"{model} of translations are the nearest text, {ngrams} by n-grams", notes)


def _mean_found(rows: Sequence[Row], system: str) -> str:
    """Return the share of translations that a system finds, the mean of all languages, in percent."""
    languages = {row["language"] for row in rows}
    return percent(sum(row["forward"] for row in rows if row["system"] == system) / len(languages))


def _layers(view: View) -> Caption:
    rows = view.rows("layers")
    best = max(rows, key=lambda row: row["accuracy"])
    chance = share(rows[0]["chance"])
    note = f"Linear probes on mean states; bands are 95 % intervals over texts; {chance} by luck."
    return Caption(f"The language is clearest in layer {best['layer']}, {share(best['accuracy'])}", (note,))
