"""Settings of an index and of searching it."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from wordworth.inference.bulk_embedding import EmbedSettings
from wordworth.models.cpu_inference import DtypeOption
from wordworth.retrieval.index import Method
from wordworth.retrieval.stored_vectors import Precision
from wordworth.settings_validation import at_least, setting, validate
from wordworth.text.windows import LongTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexSettings:
    """Settings of `build_index`."""

    model: str = setting("minilm", "A name, a folder or a hub name.")
    text: str = setting("text", "Column of the texts; a .txt has one text per line.")
    id: str | None = setting(None, "Column of distinct ids; the row's number from 0 if not given.")
    vectors: Path | None = setting(
        None, "The .npy or .parquet of the texts' vectors by the same model, as embed writes it; computed if not given."
    )
    precision: Precision = setting(
        "float32", "How vectors are stored: float32, float16 and int8 are searched exactly, bits nearly so and fastest."
    )
    dtype: DtypeOption = setting("auto", "Data type to compute in; auto is bfloat16 where the CPU supports it.")
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    long_texts: LongTexts | None = setting(
        None, "How to read texts longer than the model's window: window, cut or error. [default: window]"
    )
    threads: int | None = setting(None, "Number of threads; the vectors do not depend on it.", at_least(1))
    overwrite: bool = setting(False, "Replace the index at --out and parts of a stopped run, whatever made them.")
    rows: int = setting(512, "Most texts per part.", at_least(1), option=False)
    characters: int = setting(
        1 << 20, "Most characters per part; a longer text is a part alone.", at_least(1), option=False
    )

    def __post_init__(self) -> None:
        validate(self)

    @property
    def embedding(self) -> EmbedSettings:
        """The settings by which the texts are embedded."""
        return EmbedSettings(**{field.name: getattr(self, field.name) for field in fields(EmbedSettings)})


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of `search`."""

    k: int = setting(10, "Number of results.", at_least(1))
    method: Method = setting("dense", "Rank by vectors (dense), by words (bm25) or by both (hybrid).")
    where: str | None = setting(None, "Condition on columns that results pass: \"lang = 'en' AND year >= 2020\".")
    model: str | None = setting(None, "Where the index's model is now. [default: where it was]")
    threads: int | None = setting(None, "Number of threads; the results do not depend on it.", at_least(1))

    def __post_init__(self) -> None:
        validate(self)
