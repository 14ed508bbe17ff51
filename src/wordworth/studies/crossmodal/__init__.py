"""The study `crossmodal`: train VideoBERT on captions and codes of images or sound, and predict one from the other."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.crossmodal.settings import CrossmodalSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["crossmodal"]


@documented_by(CrossmodalSettings)
def crossmodal(  # noqa: PLR0913 - the settings, each by its name
    features: Path | str,
    sequences: TableSource,
    *,
    k: int = 12,
    depth: int = 2,
    group_folds: int = 3,
    runs: int = 1,
    candidates: int = 50,
    examples: int = 4,
    width: int = 64,
    layers: int = 2,
    heads: int = 4,
    dropout: float = 0.0,
    steps: int = 2_000,
    batch_size: int = 64,
    learning_rate: float = 2e-3,
    words_share: float = 0.1,
    codes_share: float = 0.1,
    whole_share: float = 0.8,
    subsampling: int = 5,
    max_length: int = 128,
    max_words: int = 10_000,
    draws: int = 1_000,
    seed: int = 0,
    device: str = "auto",
    threads: int = 1,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Train a model on captions and codes of images or sound, and test how well it predicts each from the other.

        ww.study_crossmodal("features.npy", "captions.csv", out="run").table("scores")

    The model is VideoBERT (Sun et al. 2019, arXiv 1904.01766) on features of any kind. Hierarchical k-means turns rows
    of features into codes. The model learns to predict masked words and codes, and to tell from the first token whether
    words and codes belong together. It is tested on groups (speakers, films) that it was not trained on. It is compared
    with the same training on shuffled pairs, and with a baseline, `without the other side`, that predicts words without
    reading codes and codes without reading words. The same call resumes a study that was stopped.

    Args:
        features: an .npy of floating-point numbers, with one row for each clip or frame.
        sequences: a table with columns start and end (a sequence is the rows of features from start up to, but without,
            end), text (its caption) and group. A sequence has codes alone if its text is empty, and words alone if its
            start and end are empty; sequences with one of the two alone are used for training, not for tests. Optional
            columns are `part` (train, valid or test, the same in all rows of a group) and `audio` (the path of a 16-bit
            .wav, relative to the table).
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `crossmodal`: `tables["scores"]` has a row for each measure and system, `tables["differences"]`
        the paired differences between systems, `tables["validation"]` the scores of validation groups, to choose
        settings by, `tables["examples"]` the nearest sequences of some captions.

    Raises:
        BadInput: features or sequences cannot be read, a sequence is empty, no sequence has both words and rows of
            features, there are too few groups or rows, or `out` cannot be written.
        Diverged: a loss or gradient is not finite.
    """
    arguments = dict(locals())
    from wordworth.files import as_path
    from wordworth.settings_validation import settings_from
    from wordworth.text.file_formats.in_memory import as_files

    settings = settings_from(arguments, CrossmodalSettings)
    from wordworth.studies.crossmodal.study import STUDY

    with as_files(sequences) as (table,):
        inputs = {"features": as_path(features, "features"), "sequences": table}
        return STUDY.answer(settings, out=out, progress=progress, **inputs)
