"""Distil static tables from contextual encoders: one vector per word, from its occurrences in the user's own text.

corpus ─► word counts ─► vocabulary ─► states of occurrences ─► one vector per word ─► postprocess ─► table
                                       single pieces ─────────► back-off ───────────┘
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.models.cpu_inference import DtypeOption
from wordworth.models.load import load
from wordworth.models.static.distillation.export import Distilled, require_no_other_model
from wordworth.models.static.distillation.settings import DistilSettings
from wordworth.models.static_embeddings import StaticTable
from wordworth.progress import SILENT, Progress
from wordworth.text.corpus.documents import Corpus

__all__ = ["DistilSettings", "Distilled", "require_no_other_model", "to_static"]


def to_static(
    model: str | Path,
    corpus: Corpus = (),
    *,
    dtype: DtypeOption = "float32",
    progress: Progress = SILENT,
    **settings: Any,  # noqa: ANN401 - as DistilSettings
) -> Distilled:
    """Distil a static table from an encoder; nothing is written until `Distilled.save`.

    Args:
        model: an encoder: a catalogue name, a folder or a cached hub name.
        corpus: a folder or files of text whose words become the vocabulary; not needed for `method="pieces"`.
        dtype: dtype of the encoder's computation.
        progress: receives the progress.
        **settings: fields of `DistilSettings`.

    Raises:
        BadInput: the model is a static table already, there is no such layer, or no word is frequent enough.
    """
    chosen = DistilSettings(**settings)
    encoder = load(model, dtype=dtype, kept=True)
    if isinstance(encoder, StaticTable):
        raise BadInput(f"{str(model)!r} is a static table already", mend="name an encoder")
    from wordworth.models.static.distillation.distill import distil
    from wordworth.models.static.distillation.vocabulary import read_sentences

    return distil(encoder, lambda: read_sentences(corpus, chosen.read_as), chosen, progress)
