"""Studies, each of which answers a question about models or data by a `Record`, and the registry of them, `STUDIES`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wordworth.registry import Registry
from wordworth.studies.study import Study

if TYPE_CHECKING:
    from wordworth.reports import Page

STUDIES: Registry[Study] = Registry(
    "study",
    group="wordworth.studies",
    builtin={
        "context": "wordworth.studies.contextuality.study:STUDY",
        "words": "wordworth.studies.word_benchmarks.study:STUDY",
        "senses": "wordworth.studies.senses.study:STUDY",
        "similarity": "wordworth.studies.similarity.study:STUDY",
        "attention": "wordworth.studies.attention.study:STUDY",
        "neighbours": "wordworth.studies.neighbours.study:STUDY",
        "relations": "wordworth.studies.syntactic_relations.study:STUDY",
        "syntax": "wordworth.studies.syntax.study:STUDY",
        "codes": "wordworth.studies.medical_codes.study:STUDY",
        "crossmodal": "wordworth.studies.crossmodal.study:STUDY",
        "entities": "wordworth.studies.entities.study:STUDY",
        "commonsense": "wordworth.studies.commonsense.study:STUDY",
        "patterns": "wordworth.studies.attention_patterns.study:STUDY",
        "heads": "wordworth.studies.heads.study:STUDY",
        "finetuning": "wordworth.studies.finetuning_changes.study:STUDY",
        "layers": "wordworth.studies.layers.study:STUDY",
        "languages": "wordworth.studies.languages.study:STUDY",
        "shrink": "wordworth.studies.shrink.study:STUDY",
        "sentences": "wordworth.studies.sentences.study:STUDY",
    },
)
"""The studies that `wordworth study` runs, by kind; those of other packages are added to them."""


def register(study: Study, page: Page | None = None) -> None:
    """Add a study to `STUDIES`, so that `wordworth study KIND` runs it.

    Args:
        study: the study; its `kind` is the name of the command.
        page: function that draws the page of the study's records; None for the page that serves any kind of record.

    Raises:
        BadInput: a study or a page of that kind is registered already.
    """
    from wordworth import reports

    STUDIES.register(study.kind, study)
    if page is not None:
        reports.register(study.kind, page)
