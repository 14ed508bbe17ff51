"""The record of a study of transfer between languages, for tags, trees and answers alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from wordworth.models.encoder_fingerprint import vectors_key
from wordworth.models.text_encoder import TextEncoder
from wordworth.progress import Progress
from wordworth.records import Finding, Record, Table
from wordworth.reports.languages_wording import Wording
from wordworth.sources import short_name
from wordworth.studies.languages.findings import transfer_verdict
from wordworth.studies.languages.scores_by_language import LanguageData, ScoresByLanguage
from wordworth.studies.languages.settings import KIND, LanguagesSettings
from wordworth.studies.languages.tables import LANGUAGES, TRANSFER, language_rows
from wordworth.studies.languages.word_split_warnings import PIECES, word_warnings
from wordworth.studies.study import make_record, source_facts
from wordworth.studies.study_result_cache import FinishedParts

_DECISIVE = ("languages", "language", "source", "test", "limit", "seed")


@dataclass(frozen=True, kw_only=True)
class TransferTask:
    """The names and descriptions that a record uses for a kind of data, such as tags, and for the scores on it.

    Attributes:
        task: name of the kind of data, such as `tagging`.
        name: name of the data.
        wording: the nouns of the findings.
        facts: further entries of the record's data, such as the name of the score.
        pieces: name of each column of the table of pieces -> its description.
        measures: name of each further measure that has columns (`further` of `ScoresByLanguage.rows`) -> name of each
            column -> description.
        findings: findings on the data and on how the numbers were computed.
    """

    task: str
    name: str
    wording: Wording
    facts: Mapping[str, object]
    pieces: Mapping[str, str] = field(default_factory=lambda: PIECES)
    measures: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    findings: Sequence[Finding] = ()


def finished_parts(
    task: str, encoder: TextEncoder, data: LanguageData, settings: LanguagesSettings, progress: Progress
) -> FinishedParts:
    """Return the cache of a study's finished parts (such as trained heads), from which a stopped study resumes.

    Args:
        task: name of the kind of data.
        encoder: the encoder that is studied.
        data: the items of all languages.
        settings: settings of the study.
        progress: receives progress and messages.
    """
    decisive = [getattr(settings, each) for each in _DECISIVE]
    files = [origin.sha256 for origin in data.origins]
    return FinishedParts.of(KIND, progress, task, vectors_key(encoder), files, data.languages, decisive)


def transfer_record(
    settings: LanguagesSettings,
    task: TransferTask,
    scores: ScoresByLanguage,
    pieces: Sequence[Mapping[str, Any]],
    seconds: Mapping[str, float],
) -> Record:
    """Return the record of a study: its tables, its verdict and its warnings.

    Args:
        settings: settings of the study.
        task: names and descriptions for the kind of data, and findings on the data.
        scores: scores of all systems.
        pieces: rows of the table of pieces.
        seconds: seconds of each step of the study.
    """
    rows, model = list(language_rows(scores)), short_name(settings.model)
    transfer = {**TRANSFER, **{key: what for columns in task.measures.values() for key, what in columns.items()}}
    return make_record(
        KIND,
        asdict(settings) | {"model": model},
        {
            "task": task.task,
            "name": task.name,
            "model": model,
            **task.facts,
            "languages": list(scores.languages),
            "source": scores.languages[0],
            "sources": source_facts(scores.data.origins),
        },
        tables={
            "languages": Table.of(rows, LANGUAGES),
            "pieces": Table.of(pieces, task.pieces),
            "transfer": Table.of(list(scores.rows(tuple(task.measures))), transfer),
        },
        findings=[
            transfer_verdict(model, rows, scores, task.wording),
            *word_warnings(pieces, rows, task.wording.units),
            *task.findings,
        ],
        seconds=seconds,
    )
