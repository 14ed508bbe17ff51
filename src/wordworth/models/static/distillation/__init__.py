"""Distil static tables from contextual encoders: one vector per word, from its occurrences in the user's own text.

corpus ─► word counts ─► vocabulary ─► states of occurrences ─► one vector per word ─► postprocess ─► table
                                       single pieces ─────────► back-off ───────────┘
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from wordworth.errors import BadInput
from wordworth.files import as_path, require_distinct, require_outside, require_writable
from wordworth.models.cpu_inference import DtypeOption
from wordworth.models.load import load
from wordworth.models.static.distillation.distilled_table import Distilled, require_no_other_model
from wordworth.models.static.distillation.settings import DistilSettings, Method
from wordworth.models.static_embeddings import StaticTable
from wordworth.progress import SILENT, Progress
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.text.corpus.read_documents import CorpusOrTable, CorpusSettings, as_corpora, require_corpora
from wordworth.text.corpus.txt_layouts import Layout

__all__ = ["DistilSettings", "Distilled", "require_no_other_model", "to_static"]

_NO_TABLES = {".npy", ".npz", ".parquet", ".csv", ".tsv", ".json", ".jsonl", ".bin", ".safetensors"}
"""Suffixes of other formats: a table is not written to such a path, as it is hardly meant as a folder's name."""


@documented_by(DistilSettings, CorpusSettings)
def to_static(  # noqa: PLR0913 - the settings, each by its name
    model: str | Path,
    corpus: CorpusOrTable = (),
    *,
    out: Path | str | None = None,
    method: Method = "pc1",
    layer: int | None = None,
    words: int = 20_000,
    least: int = 5,
    occurrences: int | None = None,
    width: int | Literal["auto"] | None = "auto",
    remove_top: int = 0,
    whiten: bool = False,
    sif: float | None = 1e-3,
    back_off: bool = True,
    half: bool = True,
    text: str = "text",
    layout: Layout = "auto",
    leave_out: Path | str | None = None,
    dtype: DtypeOption = "float32",
    progress: Progress = SILENT,
) -> Distilled:
    """Distil a static table from an encoder: one vector per word, from its occurrences in your text.

    Args:
        model: an encoder: a catalogue name, a folder or a cached hub name.
        corpus: a folder or files of text, or a table with a column of texts, whose words become the vocabulary; leave
            it out with `method="pieces"`.
        out: a folder for the table, or a .txt or .vec file of word2vec text; None writes nothing.
        width: number of principal components to keep; 0 or None keeps the encoder's width.
        back_off: whether words that are not in the table get vectors from the encoder's pieces.
        half: whether the table is stored in float16.
        text: column of the texts in files that have columns, and in a table.
        layout: how a .txt file is split into documents: `document`, the file is one; `lines`, each line is one;
            `sentences`, each line is a sentence, and blank lines are between documents; `auto` guesses between
            `document` and `sentences`.
        progress: receives the progress.

    Returns:
        The table, which `save` writes.

    Raises:
        BadInput: the model is a static table already, there is no such layer, no word is frequent enough, or `out`
            cannot be written or holds another model.
    """
    arguments = dict(locals())
    reading = settings_from(arguments, CorpusSettings)
    chosen = settings_from({**arguments, "read_as": reading}, DistilSettings)
    with as_corpora(corpus) as paths:
        return _distilled(model, paths, chosen, None if out is None else as_path(out, "--out"), progress)


def _distilled(
    model: str | Path,
    paths: Sequence[Path],
    chosen: DistilSettings,
    out: Path | None,
    progress: Progress,
) -> Distilled:
    if not paths and chosen.method != "pieces":
        raise BadInput("no corpus was given", mend="name one with --corpus, or use --method pieces")
    if paths and chosen.method == "pieces":
        mend = "leave --corpus out, or choose --method pc1 or mean"
        raise BadInput("pieces are read without a corpus, and one is given", where="--method pieces", mend=mend)
    require_corpora(paths)
    target = None if out is None else _writable(out, model, paths)
    encoder = load(model, dtype=chosen.dtype, hash_whole=True)
    if isinstance(encoder, StaticTable):
        raise BadInput(f"{str(model)!r} is a static table already", mend="name an encoder")
    from wordworth.models.static.distillation.distill import distil
    from wordworth.models.static.distillation.vocabulary import read_sentences

    table = distil(encoder, lambda: read_sentences(paths, chosen.read_as), chosen, progress)
    if target is not None:
        table.save(target)
    return table


def _writable(out: Path, model: str | Path, sources: Sequence[Path]) -> Path:
    """Return `out`, after checking that a table can be written there."""
    require_outside(out, model)
    require_distinct(out, *sources)
    if out.suffix in _NO_TABLES:
        raise BadInput(
            f"no table is written as {out.suffix}", where=str(out), mend="give a folder, or a .txt or .vec file"
        )
    require_no_other_model(out)
    require_writable(out.parent if out.suffix in {".txt", ".vec"} else out)
    return out
