"""Captions of charts, which a record stores: a chart's title, the notes under it, or why the chart is not drawn.

A study's record is captioned once its results are on the disk (`ReportFolder.write`), so that it holds the sentences of
its page; `reports.render` adds the captions that a record of an earlier version lacks. The page reads every caption by
`caption_of`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from wordworth.records import Finding
from wordworth.registry import Registry

if TYPE_CHECKING:
    from wordworth.records import Record
    from wordworth.reports.record_view import RecordView

_PREFIX, _TIMED = "caption.", "captions"


@dataclass(frozen=True, slots=True)
class Caption:
    """The sentences of a chart.

    Attributes:
        title: title of the chart, which says in words what the chart shows.
        notes: sentences under the chart.
        absent: the reason why the chart is not drawn; empty if it is drawn.
        timed: whether the sentences depend on measured times, so that they differ when the study is repeated with the
            same seed.
    """

    title: str
    notes: tuple[str, ...] = ()
    absent: str = ""
    timed: bool = False


CaptionWriter = Callable[["Record"], Mapping[str, Caption]]
"""A function from a record to name of a chart -> caption, written from the record's tables."""
CAPTIONS: Registry[CaptionWriter] = Registry(
    "captions for records of kind",
    group="wordworth.captions",
    builtin={
        "worth": "wordworth.reports.worth.captions:captions",
        "finetune": "wordworth.reports.finetune.record_view:captions",
        "context": "wordworth.reports.contextuality.captions:captions",
        "senses": "wordworth.reports.senses.record_view:captions",
        "words": "wordworth.reports.word_benchmarks:captions",
        "similarity": "wordworth.reports.similarity.captions:captions",
        "attention": "wordworth.reports.attention:captions",
        "relations": "wordworth.reports.syntactic_relations:captions",
        "syntax": "wordworth.reports.syntax:captions",
        "patterns": "wordworth.reports.attention_patterns:captions",
        "heads": "wordworth.reports.heads.captions:captions",
        "layers": "wordworth.reports.probed_layers.captions:captions",
        "shrink": "wordworth.reports.shrink.captions:captions",
        "prune": "wordworth.reports.prune:captions",
        "cascade": "wordworth.reports.cascade:captions",
        "sentences": "wordworth.reports.sentences:captions",
        "languages": "wordworth.reports.languages_record_view:captions",
        "train_sentences": "wordworth.reports.train_sentences:captions",
        "knowledge_graph": "wordworth.reports.knowledge_graph:captions",
        "distill": "wordworth.reports.distill:captions",
        "finetuning": "wordworth.reports.finetuning_changes.captions:captions",
        "codes": "wordworth.reports.medical_codes:captions",
        "crossmodal": "wordworth.reports.crossmodal:captions",
        "entities": "wordworth.reports.entities:captions",
        "commonsense": "wordworth.reports.commonsense.captions:captions",
        "adaptation": "wordworth.reports.adaptation:captions",
        "corpus_map": "wordworth.reports.corpus_map:captions",
    },
)
"""The function that writes the captions of each kind of record."""


def with_captions(record: Record) -> Record:
    """Return the record with a caption for each of its charts.

    The caption of the chart NAME is a finding named `caption.NAME`, or an entry of `timings["captions"]` if it depends
    on measured times. Captions that the record has already stay as they are. A record whose kind has no function in
    `CAPTIONS` is returned unchanged.
    """
    if record.kind not in CAPTIONS.names():
        return record
    held = _names(record)
    added = {chart: caption for chart, caption in CAPTIONS.get(record.kind)(record).items() if chart not in held}
    if not added:
        return record
    findings = [
        Finding(f"{_PREFIX}{chart}", caption.title, {"notes": list(caption.notes), "absent": caption.absent})
        for chart, caption in added.items()
        if not caption.timed
    ]
    timed = {chart: _as_timing(caption) for chart, caption in added.items() if caption.timed}
    timings = {**record.timings, _TIMED: {**record.timings.get(_TIMED, {}), **timed}} if timed else record.timings
    return replace(record, findings=[*record.findings, *findings], timings=timings)


def _names(record: Record) -> set[str]:
    """Return the names of the charts whose captions a record has."""
    names = (finding.name for finding in record.findings if finding.name.startswith(_PREFIX))
    return {name.removeprefix(_PREFIX) for name in names} | set(record.timings.get(_TIMED, {}))


def _as_timing(caption: Caption) -> dict[str, Any]:
    return {"title": caption.title, "notes": list(caption.notes), "absent": caption.absent}


def caption_of(view: RecordView, chart: str) -> Caption:
    """Return the caption of a chart as the record holds it.

    Raises:
        KeyError: the record has no caption of this chart, or one without all of its parts; `reports.render` turns it
            into a message to the user.
    """
    name = f"{_PREFIX}{chart}"
    finding = next((row for row in view.findings("caption") if row["name"] == name), None)
    if finding is not None:
        title, parts = finding["text"], finding["numbers"]
    else:
        parts = view.plain["timings"].get(_TIMED, {}).get(chart, {})
        title = parts.get("title")
    notes, absent = parts.get("notes"), parts.get("absent")
    if not (isinstance(title, str) and isinstance(notes, list) and isinstance(absent, str)):
        raise KeyError(name)
    return Caption(title, tuple(map(str, notes)), absent)
