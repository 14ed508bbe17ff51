"""`encode_partition`: add to a table the vectors of its texts, as a function for data engines such as Ray Data.

An engine applies the function to each part of a data set. The result depends on the rows and the settings alone, so
that the engine may divide the data set anywhere, and compute a part again if a process dies.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from wordworth.errors import NotFound, nearest
from wordworth.inference.embed_settings import EmbedSettings
from wordworth.models.load import Loaded, load
from wordworth.models.prompts import with_prompt_called
from wordworth.progress import UNREPORTED

VECTOR = "vector"


def encode_partition(table: Any, settings: EmbedSettings) -> Any:  # noqa: ANN401 - pyarrow has no types
    """Return a table with the vectors of its texts as one more column.

    The encoder stays loaded in the process for the next call with the same settings.

    Args:
        table: a pyarrow Table, as Ray Data passes it with `batch_format="pyarrow"`; a null text is read as empty.
        settings: `model`, `text`, `prompt`, `dtype`, `device`, `long_texts` and `threads` are used; the others are
            ignored.

    Returns:
        The table with the column `vector`, float32 [width] in each row; an older column of this name is replaced.

    Raises:
        NotFound: the table has no column `settings.text`.
        BadInput: the model is not on this machine or has no such prompt, or the column holds no texts.
    """
    import pyarrow as pa

    if settings.text not in table.column_names:
        mend = nearest(settings.text, table.column_names)
        raise NotFound(f"column {settings.text!r} not found", where="table", mend=mend)
    texts = [text or "" for text in table.column(settings.text).to_pylist()]
    loaded = encoder_of(settings.model, settings.dtype, settings.device, settings.threads)
    encoder = with_prompt_called(settings.prompt, loaded)
    vectors = encoder.encode(texts, long_texts=settings.reads_long, progress=UNREPORTED)
    column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel(), pa.float32()), encoder.width)
    return table.drop_columns([VECTOR] if VECTOR in table.column_names else []).append_column(VECTOR, column)


@lru_cache(maxsize=1)
def encoder_of(model: str, dtype: Any, device: str, threads: int | None) -> Loaded:  # noqa: ANN401 - as settings have it
    """Return a model, which stays loaded in the process for the next call with the same arguments.

    Args:
        model: a name, a folder or a hub name.
        dtype: data type to compute in.
        device: where the model computes.
        threads: number of threads; None for all cores.

    Raises:
        BadInput: the model is not on this machine.
    """
    return load(model, dtype=dtype, device=device, threads=threads)
