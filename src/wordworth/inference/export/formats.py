"""The formats by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias

from wordworth.inference.export.graphs import write_graph
from wordworth.inference.export.int8_graphs import write_int8_graph
from wordworth.inference.export.model2vec import write_table
from wordworth.inference.export.sentence_transformers import write_sentence_encoder
from wordworth.inference.export.settings import Format
from wordworth.inference.export.source import Source
from wordworth.progress import Progress
from wordworth.text.file_formats.in_memory import TableSource

Texts: TypeAlias = tuple[TableSource | None, str]
"""A table of texts, or None; and the column of the texts."""

FORMATS: Mapping[Format, Callable[[Source, Path, Texts, Progress], object]] = {
    "onnx": lambda source, out, _, __: write_graph(source, out),
    "int8": lambda source, out, _, __: write_int8_graph(source, out),
    "sentence-transformers": write_sentence_encoder,
    "model2vec": lambda source, out, _, progress: write_table(source, out, progress),
}
"""Name of a format -> what writes a model to a folder in it."""
