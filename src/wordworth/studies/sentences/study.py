"""The study `sentences` from files of pairs to a `Record`."""

from __future__ import annotations

from dataclasses import asdict, replace

from wordworth.models.load import Loaded, load
from wordworth.progress import Progress
from wordworth.records import Record, Table
from wordworth.sources import short_name
from wordworth.studies.sentences.findings import findings
from wordworth.studies.sentences.labelled_pairs import LabelledPairs, read_labelled_pairs
from wordworth.studies.sentences.pair_feature_concatenations import concatenations_findings, concatenations_table
from wordworth.studies.sentences.pair_sets import read_sets
from wordworth.studies.sentences.settings import SentencesSettings
from wordworth.studies.sentences.systems import encoded, plain_pooling, systems
from wordworth.studies.sentences.tables import tables_of
from wordworth.studies.study import Study, file_name, make_record, source_facts, timed


def study(settings: SentencesSettings, progress: Progress) -> Record:
    """Score the sentence vectors of a model, of its controls and of other models on pairs of texts.

    Raises:
        BadInput: there is no such model or set, or the pairs cannot be read.
    """
    seconds: dict[str, float] = {}
    sets, labelled = read_sets(settings), read_labelled_pairs(settings)
    with timed(seconds, "vectors"):
        encoder = load(settings.model, hash_whole=True)
        scored = systems(settings, encoder, sets, progress)
    with timed(seconds, "correlations"):
        tables = dict(tables_of(scored, sets, settings.draws, settings.seed, progress))
    model, pooling = short_name(settings.model), plain_pooling(encoder)
    sentences = findings(model, pooling, scored, sets, tables)
    if labelled is not None:
        with timed(seconds, "concatenations"):
            tables["concatenations"] = _concatenations(labelled, encoder, settings, progress)
        more = list(concatenations_findings(labelled, tables["concatenations"]))
        sentences = [replace(sentences[0], text=f"{sentences[0].text}\n{more[0].text}"), *sentences[1:], *more]
    return make_record(
        STUDY.kind,
        asdict(settings)
        | {"model": model, "data": file_name(settings.data), "labelled_pairs": file_name(settings.labelled_pairs)},
        {
            "name": ", ".join(each.name for each in sets),
            "model": model,
            "pooling": pooling,
            "pairs": {each.name: len(each) for each in sets},
            "sources": source_facts(
                [*(each.origin for each in sets), *([] if labelled is None else [labelled.origin])]
            ),
        },
        tables=tables,
        findings=sentences,
        seconds=seconds,
    )


def _concatenations(pairs: LabelledPairs, encoder: Loaded, settings: SentencesSettings, progress: Progress) -> Table:
    """Encode both texts of the labelled pairs, and return the table `concatenations`."""
    texts = list(dict.fromkeys((*pairs.first, *pairs.second)))
    number = {text: row for row, text in enumerate(texts)}
    vectors = encoded(encoder, texts, progress)
    u, v = (vectors[[number[text] for text in side]] for side in (pairs.first, pairs.second))
    return concatenations_table(pairs, u, v, settings.draws, settings.seed, progress)


STUDY = Study(
    "sentences",
    "Score sentence vectors on pairs of texts by how alike they are.",
    SentencesSettings,
    study,
    inputs={},
)
