"""The study `sentences` from files of pairs to a `Record`."""

from __future__ import annotations

from dataclasses import asdict

from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.sources import short_name
from wordworth.studies.sentences.findings import findings
from wordworth.studies.sentences.pair_sets import read_sets
from wordworth.studies.sentences.settings import SentencesSettings
from wordworth.studies.sentences.systems import systems
from wordworth.studies.sentences.tables import tables_of
from wordworth.studies.study import Study, file_name, make_record, source_facts, timed


def study(settings: SentencesSettings, progress: Progress) -> Record:
    """Score the sentence vectors of a model, of its controls and of other models on pairs of texts.

    Raises:
        BadInput: there is no such model or set, or the pairs cannot be read.
    """
    seconds: dict[str, float] = {}
    sets = read_sets(settings)
    with timed(seconds, "vectors"):
        scored = systems(settings, sets, progress)
    with timed(seconds, "correlations"):
        tables = tables_of(scored, sets, settings.draws, settings.seed, progress)
    model = short_name(settings.model)
    return make_record(
        STUDY.kind,
        asdict(settings) | {"model": model, "data": file_name(settings.data)},
        {
            "name": ", ".join(each.name for each in sets),
            "model": model,
            "pairs": {each.name: len(each) for each in sets},
            "sources": source_facts(each.origin for each in sets),
        },
        tables=tables,
        findings=findings(model, scored, sets, tables),
        seconds=seconds,
    )


STUDY = Study(
    "sentences",
    "Score sentence vectors on pairs of texts by how alike they are.",
    SentencesSettings,
    study,
    inputs={},
)
