"""`WordworthEmbeddings`: an encoder or static table as an `Embeddings` object of LangChain."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, MissingExtra
from wordworth.models.cpu_inference import DtypeOption
from wordworth.models.load import load
from wordworth.models.prompts import Role, prompts_by_role, with_prompt_of
from wordworth.models.static_embeddings import StaticTable
from wordworth.progress import SILENT, UNREPORTED, Progress
from wordworth.settings_validation import require_truth
from wordworth.text.tokens import require_texts
from wordworth.text.windows import LongTexts, require_long_texts

try:
    from langchain_core.embeddings import Embeddings
except ModuleNotFoundError as error:
    raise MissingExtra("langchain-core", "langchain") from error


class WordworthEmbeddings(Embeddings):  # type: ignore[misc]  # the extra need not be there
    """Embeddings for LangChain by a local encoder or static table; a text has the same vector alone and in a batch.

    If the encoder's folder names a prompt for queries, the prompt is put before each query; a prompt for documents is
    put before each document.

        InMemoryVectorStore(WordworthEmbeddings("minilm")).as_retriever()

    A pickle holds the settings, not the weights.
    """

    def __init__(
        self,
        model: str = "minilm",
        *,
        normalize: bool = False,
        long_texts: LongTexts | None = None,
        dtype: DtypeOption = "float32",
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        """Load the model.

        Args:
            model: a name of the catalogue, the folder of an encoder or of a static table, or a name of the hub that is
                in its cache.
            normalize: whether vectors are scaled to length 1; the vector of a text without a known word stays zero.
            long_texts: how an encoder reads a text longer than its window: `window`, `cut` or `error`; None is
                `window`, with a `LongTextWarning` about long texts.
            dtype: dtype of an encoder's computation, as in `wordworth.load`.
            threads: number of torch's threads in the whole process; None leaves it as it is.
            device: where an encoder computes, as in `wordworth.load`: cpu, cuda, or auto.

        Raises:
            BadInput: there is no model of that name, its files are damaged, or a setting has a value that is not
                allowed.
            MissingExtra: the name is that of an encoder, and torch is not installed.
        """
        require_long_texts("window" if long_texts is None else long_texts)
        require_truth("normalize", normalize)
        self.model, self.normalize, self.long_texts = model, normalize, long_texts
        self.dtype, self.threads, self.device = dtype, threads, device
        self._loaded = load(model, dtype=dtype, threads=threads, device=device)
        self._prompts = prompts_by_role(self._loaded)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vector of each text.

        Args:
            texts: texts of any length.
        """
        vectors: list[list[float]] = self._vectors(require_texts(texts), "document").tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query, which is embedded behind the model's prompt for queries, if it has one.

        Args:
            text: a text of any length.

        Raises:
            BadInput: a static table knows no word of the query: its vector would be zeros, whose cosines are NaN.
        """
        is_table = isinstance(self._loaded, StaticTable)
        progress = UNREPORTED if is_table else SILENT  # of a vector of zeros an error speaks, no warning
        vector = self._vectors([text], "query", progress)[0]
        if is_table and not vector.any():
            mend = "ask with other words, catch this error, or name an encoder, which reads any text"
            raise BadInput(f"{self.model} knows no word of the query {text!r:.60}", mend=mend)
        values: list[float] = vector.tolist()
        return values

    def _vectors(self, texts: list[str], role: Role, progress: Progress = SILENT) -> NDArray[np.float32]:
        encoder = with_prompt_of(role, self._prompts, self._loaded)
        return encoder.encode(texts, normalize=self.normalize, long_texts=self.long_texts, progress=progress)

    def __repr__(self) -> str:
        return f"WordworthEmbeddings({self.model!r})"

    def __reduce__(self) -> tuple[Callable[[], WordworthEmbeddings], tuple[Any, ...]]:
        """Pickle the settings; the model is loaded again."""
        settings = ("normalize", "long_texts", "dtype", "threads", "device")
        return partial(type(self), self.model, **{name: getattr(self, name) for name in settings}), ()
