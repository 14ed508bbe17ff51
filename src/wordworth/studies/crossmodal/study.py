"""The study `crossmodal` from end to end: read features and captions, train and test all systems, make the `Record`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import torch

from wordworth.models.devices import device_of
from wordworth.progress import Progress
from wordworth.records import Record
from wordworth.studies.crossmodal.findings import fewer_folds_warning, findings
from wordworth.studies.crossmodal.folds import Fold, folds_of
from wordworth.studies.crossmodal.retrieval_examples import require_sounds
from wordworth.studies.crossmodal.scores import score_all
from wordworth.studies.crossmodal.settings import CrossmodalSettings
from wordworth.studies.crossmodal.systems import Subject, outcomes
from wordworth.studies.crossmodal.tables import tables_of
from wordworth.studies.study import Study, make_record, merged_settings, timed
from wordworth.studies.study_result_cache import FinishedParts
from wordworth.text.captioned_sequences import CaptionedSequences, read_captioned
from wordworth.text.read_compressed_file import file_sha256
from wordworth.training.codebook.feature_rows import FeatureRows, require_clusters

_NOT_DECIDING = frozenset({"runs", "draws", "device", "threads"})
"""Settings that no single training depends on."""


def study(settings: CrossmodalSettings, progress: Progress, features: Path | str, sequences: Path | str) -> Record:
    """Train a model on words and codes of features, and test on unseen groups how well it predicts codes from words.

    Words are predicted from codes as well.

    Args:
        settings: the settings of the study.
        progress: receives progress and messages.
        features: the file of features.
        sequences: the table of sequences and captions.

    Raises:
        BadInput: features or sequences cannot be read, or there are too few groups.
        Diverged: a loss or gradient is not finite.
    """
    torch.set_num_threads(settings.threads)
    device_of(settings.device)
    seconds = dict[str, float]()
    rows = FeatureRows.open(Path(features))
    with timed(seconds, "reading"), progress.step("checking", len(rows)) as step:
        captioned = read_captioned(sequences, len(rows))
        require_sounds(captioned)
        folds = folds_of(captioned, settings.group_folds, settings.seed)
        _require_rows(settings, rows, captioned, folds)
        rows.require_finite(step)
        sha256 = file_sha256(rows.path)
    if fewer := fewer_folds_warning(settings, folds):
        progress.note(fewer.text)
    deciding = {name: value for name, value in asdict(settings).items() if name not in _NOT_DECIDING}
    parts = FinishedParts.of(STUDY.kind, progress, sha256, captioned.table.sha256, *deciding.items())
    with parts.timed(seconds, "systems"):
        own = outcomes(Subject(settings, rows, captioned, folds), parts, progress)
    groups = [captioned.groups[row] for row in own.rows.tolist()]
    with timed(seconds, "scoring"):
        scores = score_all(own, groups, settings.draws, settings.seed)
        tables = tables_of(own, scores, folds, captioned)
    facts = {
        "name": Path(captioned.table.path).name,
        "sequences": len(captioned),
        "words_alone": int(captioned.words_alone.sum()),
        "codes_alone": int(captioned.codes_alone.sum()),
        "groups": len(set(captioned.groups)),
        "rows": len(rows),
        "width": rows.width,
        "sources": [
            {"path": rows.path.name, "sha256": sha256, "rows": len(rows)},
            {"path": Path(captioned.table.path).name, "sha256": captioned.table.sha256, "rows": len(captioned)},
        ],
    }
    sentences = findings(settings, captioned, folds, own, scores)
    chosen = merged_settings(settings)
    return make_record(STUDY.kind, chosen, facts, tables=tables, findings=sentences, seconds=seconds)


def _require_rows(
    settings: CrossmodalSettings, rows: FeatureRows, sequences: CaptionedSequences, folds: list[Fold]
) -> None:
    """Check that each fold trains on as many rows of features as there are clusters."""
    for fold in folds:
        bounds = sequences.bounds[fold.train]
        require_clusters(int((bounds[:, 1] - bounds[:, 0]).sum()), settings.k, rows.path)


STUDY = Study(
    "crossmodal",
    "Train a model on words and codes of video or sound, and test how well one predicts the other.",
    CrossmodalSettings,
    study,
    inputs={
        "features": "an .npy with a row of features for each clip or frame",
        "sequences": "a table with columns start, end, text and group",
    },
)
