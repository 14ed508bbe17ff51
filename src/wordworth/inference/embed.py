"""`embed`: vectors of texts, in memory or written to a file of any size."""

from __future__ import annotations

from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.inference.embed_report import EmbedReport
from wordworth.inference.embed_settings import Engine
from wordworth.models.cpu_inference import DtypeOption
from wordworth.progress import SILENT, Progress
from wordworth.settings_validation import settings_from
from wordworth.text.file_formats.in_memory import TableSource
from wordworth.text.windows import LongTexts


@overload
def embed(
    texts: TableSource,
    out: None = None,
    *,
    model: str = ...,
    text: str = ...,
    id: None = ...,
    dtype: DtypeOption = ...,
    device: str = ...,
    long_texts: LongTexts | None = ...,
    threads: int | None = ...,
    rows: int | None = ...,
    characters: int = ...,
    engine: Engine = ...,
    prompt: str | None = ...,
    progress: Progress = ...,
) -> NDArray[np.float32]: ...
@overload
def embed(
    texts: TableSource,
    out: Path | str,
    *,
    model: str = ...,
    text: str = ...,
    id: str | None = ...,
    dtype: DtypeOption = ...,
    device: str = ...,
    long_texts: LongTexts | None = ...,
    threads: int | None = ...,
    rows: int | None = ...,
    characters: int = ...,
    engine: Engine = ...,
    overwrite: bool = ...,
    prompt: str | None = ...,
    progress: Progress = ...,
) -> EmbedReport: ...
def embed(  # noqa: PLR0913 - the settings, each by its name
    texts: TableSource,
    out: Path | str | None = None,
    *,
    model: str = "minilm",
    text: str = "text",
    id: str | None = None,  # noqa: A002 - as --id
    dtype: DtypeOption = "auto",
    device: str = "auto",
    long_texts: LongTexts | None = None,
    threads: int | None = None,
    rows: int | None = None,
    characters: int = 1 << 20,
    engine: Engine = "local",
    overwrite: bool = False,
    prompt: str | None = None,
    progress: Progress = SILENT,
) -> NDArray[np.float32] | EmbedReport:
    """Turn texts into vectors, in memory or in a file; a stopped run that writes a file resumes when called again.

    Args:
        texts: a .jsonl, .csv, .tsv, .txt or .parquet file, also compressed; a pattern of such files, `texts/*.parquet`;
            a table in memory; or a list of texts.
        out: a `.parquet`, `.jsonl` or `.csv` with the columns `id` and `vector` (JSON in a `.csv`), or a `.npy`,
            float32 [texts, width]; None writes nothing. For a pattern a folder, in which each file of texts has a
            `.parquet` of its name.
        model: a name, a folder or a hub name.
        text: the column of the texts.
        id: the column of ids, all distinct, for the rows of `out`; None numbers the rows from 0.
        dtype: data type to compute in; `auto` is bfloat16 where the CPU supports it.
        device: where the model computes: cpu, cuda, or auto, which uses a GPU if there is one.
        long_texts: how texts longer than the model's window are read: `window`, `cut` or `error`; None is `window`,
            with a `LongTextWarning` about long texts if there is no `progress` to note them.
        threads: number of torch's threads, on which the vectors do not depend; None leaves the number unchanged.
        rows: most texts per part, the unit in which work is done and resumed; None is 8,192 for a static table, 512
            for an encoder.
        characters: most characters per part; a longer text is a part alone.
        engine: where parts are computed: `local` in this process, `ray` by the workers of a Ray cluster, each on
            `threads` threads (1 if `threads` is None). The vectors are equal to the last bit. The cluster is the
            one that RAY_ADDRESS names, or is started on this machine. `ray` needs `out`.
        overwrite: whether to replace the file at `out`, and to remove what a stopped run saved, even if other texts or
            settings made them. If not, a file at `out` from the same texts, model and settings is left as it is, and a
            stopped run with the same texts, model and settings resumes; anything else there is an error.
        prompt: name of the prompt to put before each text, such as `query`, as the model's folder names it; None is
            the model's default prompt, if the model has one.
        progress: receives progress and messages.

    Returns:
        The vectors, float32 [texts, width], if `out` is None; else a report on the file written, or on all files of a
            pattern together.

    Raises:
        BadInput: the texts, a column or the model cannot be read; two rows have the same id; the model has no prompt of
            that name; `out` cannot be written; or `out` was made from other texts, another model or other settings.

    >>> embed(["a short text", "another"], model="minilm").shape  # doctest: +SKIP
    (2, 384)
    """
    arguments = dict(locals())
    from wordworth.inference.bulk_embedding import embed as embed_file
    from wordworth.inference.bulk_embedding import embed_in_memory
    from wordworth.inference.embed_settings import EmbedSettings
    from wordworth.inference.embed_several_files import embed_files, is_pattern
    from wordworth.text.file_formats.in_memory import as_file

    settings = settings_from(arguments, EmbedSettings)
    if is_pattern(texts):
        if out is None:
            raise BadInput("vectors of several files are written", where=str(texts), mend="give a folder as --out")
        return embed_files(str(texts), out, settings, progress=progress)
    with as_file(texts) as path:
        if out is not None:
            return embed_file(path, out, settings, progress=progress)
        if id is not None:
            mend = "leave it out, or name a .parquet with --out"
            raise BadInput("vectors in memory have no names", where="--id", mend=mend)
        return embed_in_memory(path, settings, progress)
