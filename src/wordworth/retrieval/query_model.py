"""`QueryModel`: the model with which an index or an exported table was made, to compute vectors of queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.models.load import Loaded, load
from wordworth.models.prompts import Role, with_prompt_of
from wordworth.models.vector_space_identity import fingerprint_of
from wordworth.progress import UNREPORTED
from wordworth.sources import short_name
from wordworth.text.tokens import require_texts
from wordworth.text.windows import LongTexts


@dataclass(frozen=True, slots=True)
class QueryModel:
    """Description of the model whose vectors are searched.

    Attributes:
        name: name or path of the model.
        dtype: data type that the model computed in.
        long_texts: how texts above the model's maximum length were encoded: `window` (whole, in overlapping windows),
            `cut` (their beginning) or `error` (refused).
        fingerprint: hash of everything that decides the model's vectors.
        where: the index or table, for errors.
        prompts: role (query or document) -> the prompt that is put before texts of this role; empty if the model's
            default prompt is put before both.
    """

    name: str
    dtype: str
    long_texts: str
    fingerprint: str
    where: str
    prompts: Mapping[Role, str] = field(default_factory=dict)

    def load(self, model: str | None = None, threads: int | None = None) -> Loaded:
        """Load the model in the data type in which it computed the vectors, with the prompt of queries.

        Args:
            model: where the model is now; None for where it was when the vectors were computed.
            threads: number of threads.

        Raises:
            BadInput: there is no model, or it is not the one that computed the vectors.
        """
        name = model or self.name
        loaded = load(name, dtype=self.dtype, threads=threads)  # type: ignore[arg-type]  # as it was loaded
        self.require_space(fingerprint_of(with_prompt_of("document", self.prompts, loaded)), name)
        return with_prompt_of("query", self.prompts, loaded)

    @property
    def dtype_note(self) -> str:
        """A note that cosines are less exact, as the vectors were not computed in float32; empty if they were."""
        if self.dtype == "float32":
            return ""
        return (
            f"scores are cosines of vectors computed in {self.dtype}, whose third digit may differ from float32 "
            "(search build --dtype float32)"
        )

    def require_space(self, fingerprint: str, model: str) -> None:
        """Check that a model is the one that computed the stored vectors, by its fingerprint.

        Args:
            fingerprint: hash of everything that decides the model's vectors of documents, their prompt included.
            model: name of the model, for the error.

        Raises:
            BadInput: the fingerprints differ.
        """
        if fingerprint != self.fingerprint:
            what = f"{model} is not the model that this index was made with, {self.name}"
            if model == self.name:
                what = f"{model} is no longer the model that it was when this index was made"
            why = "its weights, tokenizer, pooling, prompt or data type differ, so that vectors cannot be compared"
            raise BadInput(f"{what}: {why}", where=self.where, mend="give that model, or build the index again")

    def vectors(self, encoder: Loaded, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of queries, float32 [texts, width].

        Args:
            encoder: the model, as `load` loaded it.
            texts: the queries.

        Raises:
            BadInput: the model is a static table that knows no word of a query.
        """
        long_texts: LongTexts = self.long_texts  # type: ignore[assignment]  # as it was given
        vectors = encoder.encode(texts, long_texts=long_texts, progress=UNREPORTED)
        blank = next((text for text, vector in zip(texts, vectors, strict=True) if not vector.any()), None)
        if blank is not None:
            what = f"the query {blank!r:.60} has no word that {short_name(encoder.name)} knows"
            raise BadInput(what, mend="ask with other words")
        return vectors


def require_queries(queries: Iterable[object]) -> list[str]:
    """Check that all queries are texts that are not empty, and return them as a list.

    Raises:
        BadInput: a query is empty or no text.
    """
    texts = require_texts(queries)
    if not all(text.strip() for text in texts):
        raise BadInput("a query is empty", mend="ask with words")
    return texts
