"""Settings of `build_index`, `add_to_index` and `search`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from wordworth.inference.embed_settings import FileEmbedSettings
from wordworth.retrieval.stored_vectors import Precision
from wordworth.settings_validation import at_least, setting, validate

Method = Literal["dense", "bm25", "hybrid"]
"""How texts are ranked: by their vectors, by their words, or by both."""
_VECTORS = "File of the texts' vectors by the same model, as embed writes it; computed if not given."
TABLE = "texts"
"""The name of the table of a database where the user gives none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddSettings:
    """Settings of `add_to_index`."""

    vectors: Path | None = setting(None, _VECTORS)
    threads: int | None = setting(None, "Number of threads; the vectors do not depend on it.", at_least(1))

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings(FileEmbedSettings):
    """Settings of `build_index`: the settings of every function that embeds a file, and how an index is stored."""

    id: str | None = setting(None, "Column of distinct ids; the row's number from 0 if not given.")
    overwrite: bool = setting(False, "Replace the index at --out and parts of a stopped run, whatever made them.")
    vectors: Path | None = setting(None, _VECTORS)
    precision: Precision = setting(
        "float32", "How vectors are stored: float32, float16 and int8 are searched exactly, bits nearly so and fastest."
    )

    @property
    def embedding(self) -> FileEmbedSettings:
        """The settings by which the texts are embedded, without the settings by which the index is stored."""
        return FileEmbedSettings(**{field.name: getattr(self, field.name) for field in fields(FileEmbedSettings)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of `search`, which finds the texts of an index that are nearest to a query."""

    k: int = setting(10, "Number of results.", at_least(1))
    method: Method = setting("dense", "Rank by vectors (dense), by words (bm25) or by both (hybrid).")
    where: str | None = setting(None, "Condition on columns that results pass: \"lang = 'en' AND year >= 2020\".")
    exact: bool = setting(False, "Compare all vectors, also if the index has a graph.")
    table: str = setting(TABLE, "Name of the table, if --index is a database.")
    model: str | None = setting(None, "Where the index's model is now. [default: where it was]")
    threads: int | None = setting(None, "Number of threads; the results do not depend on it.", at_least(1))

    def __post_init__(self) -> None:
        validate(self)
