"""`FORMATS`: the formats of `export` by name with their writers, and the two writers that make no ONNX graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeAlias

from wordworth.errors import BadInput
from wordworth.files import replacing_folder
from wordworth.inference.bulk_embedding import embed_in_memory
from wordworth.inference.embed_settings import EmbedSettings
from wordworth.inference.export.int8_onnx_graphs import write_int8_graph
from wordworth.inference.export.onnx_graphs import write_graph
from wordworth.inference.export.read_model import Source
from wordworth.inference.export.settings import Format
from wordworth.models.cpu_inference.select_dtype_and_kernel import texts as calibration_texts
from wordworth.models.int8_and_bit_vectors import Int8Ranges
from wordworth.models.save_encoder import write_encoder
from wordworth.models.static.distillation import to_static
from wordworth.progress import Progress
from wordworth.tasks.reading.read_task import require_readable
from wordworth.text.file_formats.in_memory import TableSource, as_file
from wordworth.text.file_formats.read import iterate_texts

Texts: TypeAlias = tuple[TableSource | None, str]
"""A pair: the table of texts (None if there is none), and the name of its column of texts."""
_LEAST = 2
"""The fewest texts whose vectors have a range."""


def write_sentence_encoder(source: Source, out: Path, texts: Texts, progress: Progress) -> None:
    """Write an encoder as a folder that sentence-transformers loads and that gives the same vectors.

    The folder also has the range of each vector component over some texts, by which vectors are quantised to int8.

    Args:
        source: the model; of a fine-tuned model its encoder is written.
        out: the folder, written whole or not at all.
        texts: the table of texts whose vectors set the ranges, and the name of its column of texts. If the table is
            None, texts that come with Wordworth set the ranges.
        progress: receives progress and messages.

    Raises:
        BadInput: the texts cannot be read or are fewer than two, or the folder cannot be written.
    """
    data, column = texts
    if data is None:
        vectors = source.encoder.embed(calibration_texts()).vectors  # no messages about texts that are not the user's
    else:
        with as_file(data) as path:
            if len(list(islice(iterate_texts(path, column), _LEAST))) < _LEAST:
                what = f"the ranges of int8 vectors need {_LEAST} texts or more"
                raise BadInput(what, where=str(path), mend="give some hundred texts with --data")
            chosen = EmbedSettings(model=source.name, text=column, dtype="float32")
            vectors = embed_in_memory(path, chosen, progress, partial(_require_readable, path))
    ranges = Int8Ranges.of(vectors)
    with replacing_folder(out) as folder:
        write_encoder(source.encoder, folder)
        ranges.save(folder)


def _require_readable(path: Path, row: int, text: str) -> None:
    """Raise BadInput if a text is too long to learn from; `row` is the index of the text in the file `path`."""
    require_readable([text], lambda _: f"{path}, text {row + 1:,}")


def write_table(source: Source, out: Path, _: Texts, progress: Progress) -> None:
    """Write the static table of an encoder's pieces (one vector a piece) as a folder that model2vec loads.

    Args:
        source: the model; of a fine-tuned model the table of its encoder is written.
        out: the folder, written whole or not at all.
        _: not read: the table is computed from the vocabulary alone.
        progress: receives progress and messages.

    Raises:
        BadInput: the encoder has no vocabulary, or the folder cannot be written.
    """
    table = to_static(source.name, method="pieces", half=False, progress=progress)  # model2vec computes in its type
    with replacing_folder(out) as folder:
        table.save(folder)


FORMATS: Mapping[Format, Callable[[Source, Path, Texts, Progress], object]] = {
    "onnx": lambda source, out, _, __: write_graph(source, out),
    "int8": lambda source, out, _, __: write_int8_graph(source, out),
    "sentence-transformers": write_sentence_encoder,
    "model2vec": write_table,
}
"""Name of a format -> the function that writes a model to a folder in this format."""
