"""The command `symbols learn`: turn rows of features of images or sound into codes by hierarchical k-means."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.training.codebook.settings import CodebookSettings

__all__ = ["learn_symbols"]


@documented_by(CodebookSettings)
def learn_symbols(  # noqa: PLR0913 - the settings, each by its name
    features: Path | str,
    out: Path | str,
    *,
    k: int = 12,
    depth: int = 4,
    rows_per_node: int = 32_768,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Record:
    """Learn a codebook by hierarchical k-means, and write the code of every row of features.

    At each level a row goes to the nearest of the k children of its cluster. The numbers of these children are the
    digits of its code in base k, so that codes with the same first digits are near each other. VideoBERT (Sun et al.
    2019, arXiv 1904.01766) turns video into tokens in this way, with k = 12 and four levels: 20,736 codes. The same
    call resumes learning that was stopped, and then writes the same bytes.

    Args:
        features: an .npy of floating-point numbers, with one row for each clip or frame; it is read in blocks.
        out: the folder to write: level1.npy and so on, float32 [k ** l, k, width], the centroids of each level;
            codes.npy, int64, the code of each row; record.json and report.html.
        progress: receives progress and messages.

    Returns:
        A record of kind `codebook`: `tables["levels"]` has the number of codes in use at each level, and the mean
        squared distance of a row to the centroid of its code.

    Raises:
        BadInput: the features cannot be read, hold NaN or numbers whose squares overflow in float32, or have fewer rows
            than k; or `out` holds other files or a codebook with other settings or features.

    >>> learn_symbols("features.npy", "codes", k=12, depth=4)  # doctest: +SKIP
    """
    from wordworth.files import as_path
    from wordworth.settings_validation import settings_from

    settings = settings_from(locals(), CodebookSettings)
    from wordworth.studies.codebook.study import run

    return run(settings, as_path(features, "features"), as_path(out, "--out"), progress)
