"""The study `codes` from end to end: read visits and ontologies, train and score every system, make the `Record`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch

from wordworth.models.devices import device_of
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.studies.medical_codes.findings import findings
from wordworth.studies.medical_codes.patient_split import predicted_rows, split_patients
from wordworth.studies.medical_codes.scores import rare_codes, score_all
from wordworth.studies.medical_codes.settings import CodesSettings
from wordworth.studies.medical_codes.systems import Subject, all_answers
from wordworth.studies.medical_codes.tables import tables_of
from wordworth.studies.study import Study, file_name, make_record, timed
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.medical_code_ontology import Ontology, read_ontology
from wordworth.text.patient_visits import Visits, read_visits
from wordworth.training.patient_visits.recommendation import rows_of

_FILES = ("input_ontology", "target_ontology")
_NOT_DECIDING = frozenset({*_FILES, "synthetic", "runs", "draws", "device", "threads"})
"""Settings that no answer of a system depends on; files are there by their content."""


def study(settings: CodesSettings, progress: Progress, visits: Path | str) -> Record:
    """Predict the target codes of visits by G-BERT, with and without its graph and its pretraining, and by baselines.

    Args:
        settings: the settings of the study.
        progress: receives progress and messages.
        visits: the file of visits.

    Raises:
        BadInput: visits or ontologies cannot be read, a code is in no ontology, or a part has no patients.
        Diverged: a loss or gradient is not finite.
    """
    torch.set_num_threads(settings.threads)
    device_of(settings.device)
    seconds = dict[str, float]()
    with timed(seconds, "reading"):
        data = read_visits(visits, settings.input_kind, settings.target_kind)
        files = (settings.input_ontology, settings.target_ontology)
        ontologies = [None if path is None else read_ontology(path) for path in files]
    graphs = [
        None if ontology is None else ontology.graph(sets.codes, sets.locations)
        for ontology, sets in zip(ontologies, (data.inputs, data.targets), strict=True)
    ]
    split = split_patients(data, settings.seed)
    subject = Subject(settings, data, split, (graphs[0], graphs[1]))
    parts = _parts(settings, data, ontologies, progress)
    with parts.timed(seconds, "systems"):
        answers = all_answers(subject, parts, progress)
    test = predicted_rows(data, split.test)
    truth = data.targets.flags[predicted_rows(data, split.valid)], data.targets.flags[test]
    rare = rare_codes(data.targets.flags[rows_of(data, split.pretraining)])
    with timed(seconds, "scoring"):
        scores = score_all(answers, truth, rare, data.patient[test], settings.draws, settings.seed)
        tables = tables_of(data, split, answers, scores, rare)
    chosen = asdict(settings) | {name: file_name(getattr(settings, name)) for name in _FILES}
    chosen = {name: value for name, value in chosen.items() if name not in {"device", "threads"}}
    sentences = findings(settings, data, split, scores, tables)
    facts = _facts(data, ontologies)
    return make_record(STUDY.kind, chosen, facts, tables=tables, findings=sentences, seconds=seconds)


STUDY = Study(
    "codes",
    "Predict codes of one kind at patients' visits from those of another, with an ontology and without.",
    CodesSettings,
    study,
    inputs={"visits": "a table with columns patient, date, kind and code"},
)


def _parts(
    settings: CodesSettings, visits: Visits, ontologies: list[Ontology | None], progress: Progress
) -> FinishedParts:
    """Return the disk cache of the finished trainings of this study, whose key is made of data and settings."""
    deciding = {name: value for name, value in asdict(settings).items() if name not in _NOT_DECIDING}
    hashes = [visits.sha256, *("" if each is None else each.sha256 for each in ontologies)]
    return FinishedParts.of(STUDY.kind, progress, *hashes, *deciding.items())


def _facts(visits: Visits, ontologies: list[Ontology | None]) -> dict[str, object]:
    """Return the description of the data for the record."""
    there = [each for each in ontologies if each is not None]
    return {
        "name": visits.name,
        "patients": len(visits.patients),
        "visits": len(visits.patient),
        "input_codes": len(visits.inputs.codes),
        "target_codes": len(visits.targets.codes),
        "sources": [
            {"path": visits.name, "sha256": visits.sha256, "rows": visits.filters[0].rows},
            *({"path": each.name, "sha256": each.sha256, "rows": len(each.parents)} for each in there),
        ],
    }
