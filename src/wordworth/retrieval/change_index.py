"""`build_index`, `add_to_index` and `delete_from_index`: everything that changes an index."""

from __future__ import annotations

from pathlib import Path

from wordworth.files import as_path, require_distinct
from wordworth.inference.embed_settings import Engine
from wordworth.models.cpu_inference import DtypeOption
from wordworth.progress import SILENT, Progress
from wordworth.retrieval.build import IndexReport, add, build, delete
from wordworth.retrieval.settings import AddSettings, IndexSettings
from wordworth.retrieval.stored_vectors import Precision
from wordworth.settings_validation import settings_from
from wordworth.text.file_formats.in_memory import TableSource, as_file
from wordworth.text.windows import LongTexts


def build_index(  # noqa: PLR0913 - the settings, each by its name
    texts: TableSource,
    out: Path | str,
    *,
    model: str = "minilm",
    text: str = "text",
    id: str | None = None,  # noqa: A002 - as --id
    vectors: Path | str | None = None,
    precision: Precision = "float32",
    dtype: DtypeOption = "auto",
    device: str = "auto",
    long_texts: LongTexts | None = None,
    threads: int | None = None,
    rows: int | None = None,
    characters: int = 1 << 20,
    engine: Engine = "local",
    overwrite: bool = False,
    progress: Progress = SILENT,
) -> IndexReport:
    """Build an index of texts, which `search` searches; a run that was stopped resumes.

    Args:
        texts: a .jsonl, .csv, .tsv, .txt or .parquet file, also compressed; a table in memory; or a list of texts. All
            columns are stored, for results and conditions.
        out: the folder of the index.
        model: a name, a folder or a hub name. If its folder names a prompt for documents, this prompt is put before the
            texts; a prompt for queries is put before the queries of a search.
        text: the column of the texts.
        id: a column of distinct ids, one a row; None numbers rows from 0.
        vectors: a file of the vectors of these texts by this model, in the same order: a `.npy`, `.parquet`, `.csv` or
            `.jsonl`, as `embed` writes them; a few are computed anew and compared. None computes all vectors.
        precision: data type of the stored vectors. With `float32`, `float16` and `int8` a search compares all stored
            vectors exactly. With `bits` it compares the signs of all vectors first, then the float16 numbers of the
            5,000 rows with the fewest different signs.
        dtype: data type to compute in; `auto` is bfloat16 where the CPU supports it.
        device: where the model computes: cpu, cuda, or auto, which uses a GPU if there is one.
        long_texts: how texts above the model's maximum length are encoded: `window` (whole, in overlapping windows),
            `cut` (their beginning) or `error` (refused); None is `window`.
        threads: number of threads; the vectors do not depend on it.
        rows: largest number of texts that are embedded and saved together, as a part from which a stopped run resumes.
        characters: largest number of characters of such a part.
        engine: where vectors are computed: `local`, or `ray`, by the workers of a Ray cluster.
        overwrite: whether to replace an index at `out`, and to remove what a stopped run saved, even if other texts or
            settings made them.
        progress: receives progress and messages.

    Returns:
        A report with the number of rows and the width of a vector.

    Raises:
        BadInput: the texts, a column, the model or the vectors cannot be read; there are no texts; two rows have the
            same id; or `out` is an index of other texts or settings, or a folder that is not an index.

    >>> build_index(["a short text", "another"], "index/", model="minilm").rows  # doctest: +SKIP
    2
    """
    settings = settings_from(locals(), IndexSettings)
    with as_file(texts) as path:
        require_distinct(out, path)
        return build(path, Path(out), settings, progress)


def add_to_index(
    texts: TableSource,
    index: Path | str,
    *,
    vectors: Path | str | None = None,
    threads: int | None = None,
    progress: Progress = SILENT,
) -> IndexReport:
    """Add texts to an index; a run that was stopped resumes.

    The index's own model embeds the texts, with the index's prompt for documents, if it has one, before each text. The
    columns of texts and ids must have the same names as in the index.

    Args:
        texts: a .jsonl, .csv, .tsv, .txt or .parquet file, also compressed; a table in memory; or a list of texts.
        index: folder of the index.
        vectors: a file of the vectors of these texts by the index's model, in the same order: a `.npy`, `.parquet`,
            `.csv` or `.jsonl`. None computes all vectors.
        threads: number of threads; the vectors do not depend on it.
        progress: receives progress and messages.

    Returns:
        A report with the number of rows that were added, and the number of all rows.

    Raises:
        BadInput: there is no index, the index's model has changed or is not on this machine, an id is in the index
            already, or the input is wrong as in `build_index`.

    >>> add_to_index(["a third text"], "index/").total  # doctest: +SKIP
    3
    """
    settings = settings_from(locals(), AddSettings)
    with as_file(texts) as path:
        return add(path, as_path(index, "--index"), settings, progress)


def delete_from_index(index: Path | str, *, where: str) -> IndexReport:
    """Delete the rows of an index that meet a condition; no search returns them again.

    Args:
        index: folder of the index.
        where: a condition on columns, such as `lang = 'en' AND year < 2020`; in an index without a column of ids,
            `id` is the row's number.

    Returns:
        A report with the number of rows that were deleted, and the number of rows that remain.

    Raises:
        BadInput: there is no index, or the condition cannot be read.

    >>> delete_from_index("index/", where="id = '7'").rows  # doctest: +SKIP
    1
    """
    return delete(as_path(index, "--index"), where)
