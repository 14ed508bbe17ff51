"""`Service`: a served model with its batching engine; the routes of both APIs call the methods of `Service`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from wordworth.models.prompts import unknown_prompt
from wordworth.serving.api_keys import read_keys
from wordworth.serving.batching_engine import Computed, Engine
from wordworth.serving.job_queue import Compute
from wordworth.serving.metrics import Metrics
from wordworth.serving.request_errors import Refusal
from wordworth.serving.served_model import Served
from wordworth.serving.settings import ServeSettings
from wordworth.serving.text_reader import Floats, ReadText, TextReader, TokenSpan

if TYPE_CHECKING:
    from wordworth.serving.predictor_adapter import RunPredictor

_CUT = 'cut it (TEI\'s routes: "truncate": true)'
_LONG = 20_000
"""Number of characters above which a request is tokenized in a thread, so that other requests need not wait for it."""


@dataclass(frozen=True, slots=True)
class Call:
    """The facts of an HTTP request that its computation needs.

    Attributes:
        deadline: time of `time.monotonic` after which the answer is not wanted.
        is_gone: returns whether the client has disconnected.
        began: time of `time.monotonic` when the request's handling began.
    """

    deadline: float
    is_gone: Callable[[], bool] = lambda: False
    began: float = field(default_factory=time.monotonic)


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of a request's texts, and the headers of its answer.

    Attributes:
        vectors: for each text its vector, float32 [width], or its token vectors, float32 [tokens, width].
        texts: the tokenized texts.
        headers: durations, characters and tokens, under the names of text-embeddings-inference.
    """

    vectors: list[Floats]
    texts: list[ReadText]
    headers: dict[str, str]


class Service:
    """A served model with its settings, and with the engine that computes requests in batches; `load` loads the model.

    Args:
        model: a name, a folder, or a loaded encoder or static table.
        settings: limits, API keys and so on.

    Raises:
        BadInput: the file of keys is empty or cannot be read.
    """

    def __init__(self, model: Any, settings: ServeSettings) -> None:  # noqa: ANN401 - a name or a loaded model
        self.model, self.settings, self.metrics = model, settings, Metrics()
        self.keys = read_keys(settings.api_key_file) if settings.api_key_file is not None else []
        self._served: Served | None = None
        self._engine: Engine | None = None

    def load(self) -> None:
        """Load the model and start the engine.

        Raises:
            BadInput: the model cannot be loaded.
        """
        served = Served.load(self.model, self.settings)
        model = served.model
        self._engine = Engine(model.threads, model.confine, self.settings.max_waiting, self.metrics)
        self._served = served

    def stop(self) -> None:
        """Compute all waiting requests, then end the engine."""
        if self._engine is not None:
            self._engine.stop()

    @property
    def is_ready(self) -> bool:
        """True once the model is loaded."""
        return self._served is not None

    @property
    def served(self) -> Served:
        """The loaded model.

        Raises:
            Refusal: the model is not loaded yet.
        """
        if self._served is None:
            raise Refusal("unhealthy", "the model is being loaded", retry_after=1)
        return self._served

    @property
    def waiting(self) -> int:
        """Number of requests that wait to be computed."""
        return len(self._engine.queue) if self._engine is not None else 0

    @property
    def speed(self) -> dict[str, float | None]:
        """The number of texts computed since the start, and the seconds per thousand texts on one thread.

        The keys are `texts` and `thread_seconds_per_1000_texts`; the seconds are None before any text.
        """
        texts, seconds = (self.metrics.sum(f"te_batch_{what}") for what in ("next_size", "inference_duration"))
        return {"texts": texts, "thread_seconds_per_1000_texts": 1000 * seconds / texts if texts else None}

    def require_vectors(self) -> TextReader:
        """Return the model, if it computes vectors.

        Raises:
            Refusal: the model is not loaded, or returns predictions instead of vectors.
        """
        if self.served.predicts:
            raise Refusal("wrong_model", f"{self.served.name} predicts: it answers /predict alone")
        reader: TextReader = self.served.model
        return reader

    async def embed(
        self,
        texts: list[str],
        call: Call,
        *,
        truncate: bool | None,
        by_token: bool = False,
        prompt: str | None = None,
    ) -> Embedded:
        """Embed the texts of a request, in batches with texts of other requests.

        Args:
            texts: the texts.
            call: the request's deadline and client.
            truncate: whether to truncate texts at the model's window; None follows the server's setting `long_texts`.
            by_token: whether to return the vectors of tokens instead of texts.
            prompt: name of the model's prompt to put before each text; None is its default prompt.

        Raises:
            Refusal: the model computes no vectors or has no such prompt, there are too many texts, a text is too long,
                too many requests wait, or the deadline passed.
        """
        reader, began = self.require_vectors(), time.monotonic()
        self.require_number(len(texts))
        _require_prompt(prompt, reader)
        cut = self.settings.long_texts == "cut" if truncate is None else truncate
        characters = sum(map(len, texts))
        if characters > _LONG:
            read = await asyncio.to_thread(reader.read, texts, cut=cut, prompt=prompt)
        else:
            read = reader.read(texts, cut=cut, prompt=prompt)
        self._require_lengths(read, reader.window, refuse=not cut and self.settings.long_texts == "error")
        self.metrics.count("te_embed_cut_inputs", sum(text.cut > 0 for text in read))
        tokenized, costs = time.monotonic() - began, [text.size for text in read]
        compute: Compute = reader.embed_tokens if by_token else reader.embed  # type: ignore[assignment]  # rows of an array
        done = await self._compute("embed", compute, read, costs, call)
        self.metrics.observe("te_embed_tokenization_duration", tokenized)
        headers = {
            **self._timing(call, done, characters),
            "x-tokenization-time": _milliseconds(tokenized),
            "x-compute-tokens": str(sum(costs)),
            "x-cut-tokens": str(sum(text.cut for text in read)),
        }
        return Embedded(done.results, read, headers)

    async def token_spans(
        self, texts: list[str], *, special: bool, prompt: str | None
    ) -> list[tuple[str, list[TokenSpan]]]:
        """Tokenize the texts of a request.

        Args:
            texts: the texts.
            special: whether special tokens are returned too.
            prompt: name of the model's prompt to put before each text; None puts nothing before it.

        Returns:
            Each text as it was tokenized, its prompt included, and its tokens.

        Raises:
            Refusal: the model computes no vectors or has no such prompt, or there are too many texts.
            BadInput: the model is a static table, which has no tokenizer.
        """
        reader = self.require_vectors()
        self.require_number(len(texts))
        _require_prompt(prompt, reader)
        prompted = texts if prompt is None else [reader.prompts[prompt] + text for text in texts]
        spans = await asyncio.to_thread(reader.token_spans, prompted, special=special)
        return list(zip(prompted, spans, strict=True))

    async def predict(self, inputs: Any, call: Call) -> tuple[list[dict[str, Any]], bool, dict[str, str]]:  # noqa: ANN401 - whatever a client sent
        """Predict the inputs of a request.

        Args:
            inputs: the field `inputs` of the request: a row or a list of rows.
            call: the request's deadline and client.

        Returns:
            The prediction for each row, whether `inputs` was a list of rows, and the headers of the answer.

        Raises:
            Refusal: the model computes vectors, there are too many rows, a row is too long, too many requests wait, or
                the deadline passed.
            BadInput: the inputs have another form, or a row lacks a column or a text.
        """
        predictor = self._require_run("/predict needs a run: a study, a fine-tuning, a probe")
        rows, are_several = predictor.rows(inputs)
        self.require_number(len(rows))
        predictor.require_columns(rows)
        costs = predictor.costs(rows)
        for number, cost in enumerate(costs):
            self._require_length(number, cost)
        done = await self._compute("predict", predictor.predict, rows, costs, call)
        characters = sum(len(cell) for row in rows for cell in row.cells.values())
        return done.results, are_several, self._timing(call, done, characters)

    async def rerank(
        self, query: str, texts: list[str], relevant: str | None, call: Call
    ) -> tuple[list[float], dict[str, str]]:
        """Score the relevance of each text of a request to a query with a cross-encoder.

        Args:
            query: the query.
            texts: the texts.
            relevant: name of the class of relevant pairs; None takes the second of two classes.
            call: the request's deadline and client.

        Returns:
            The relevance of each text, in the order of `texts`, and the headers of the answer.

        Raises:
            Refusal: the model computes vectors, there are too many texts, a text is too long, too many requests wait,
                or the deadline passed.
            BadInput: the model is not a cross-encoder, or has no class of this name.
        """
        predictor = self._require_run("/rerank needs a model that was fine-tuned on pairs")
        self.require_number(len(texts))
        costs = predictor.costs_of_pairs(query, texts)
        for number, cost in enumerate(costs):
            self._require_length(number, cost)
        done = await self._compute("predict", predictor.relevance_to(query, relevant), texts, costs, call)
        return done.results, self._timing(call, done, sum(map(len, texts)))

    def _require_run(self, what: str) -> RunPredictor:
        if not self.served.predicts:
            raise Refusal("wrong_model", f"{self.served.name} gives vectors; {what}")
        predictor: RunPredictor = self.served.model
        return predictor

    async def _compute(
        self, what: Literal["embed", "predict"], compute: Compute, items: Sequence[Any], costs: list[int], call: Call
    ) -> Computed:
        """Compute a function of each item of a request; add items and durations to the metrics, named as in TEI."""
        assert self._engine is not None  # noqa: S101 - a model is served
        metrics = self.metrics
        metrics.count(f"te_{what}_count", len(items))
        for cost in costs:
            metrics.observe("te_request_input_length", cost)
        done = await self._engine.compute(compute, items, costs, deadline=call.deadline, is_gone=call.is_gone)
        metrics.count(f"te_{what}_success", len(items))
        metrics.observe(f"te_{what}_queue_duration", done.queue_seconds)
        metrics.observe(f"te_{what}_inference_duration", done.compute_seconds)
        metrics.observe(f"te_{what}_duration", time.monotonic() - call.began)
        return done

    def _timing(self, call: Call, done: Computed, characters: int) -> dict[str, str]:
        total = time.monotonic() - call.began
        return {
            "x-compute-type": "cpu",
            "x-compute-time": _milliseconds(total),
            "x-total-time": _milliseconds(total),
            "x-queue-time": _milliseconds(done.queue_seconds),
            "x-inference-time": _milliseconds(done.compute_seconds),
            "x-compute-characters": str(characters),
        }

    def require_number(self, texts: int) -> None:
        """Check the number of texts of a request.

        Raises:
            Refusal: the request has no text, or more than `max_texts`.
        """
        if texts == 0:
            raise Refusal("empty", "there is no text in this request", param="input")
        if texts > self.settings.max_texts:
            what = f"{texts:,} texts in one request; this server takes {self.settings.max_texts:,}"
            raise Refusal("too_large", what, param="input")

    def _require_lengths(self, texts: list[ReadText], window: int | None, *, refuse: bool) -> None:
        for number, text in enumerate(texts):
            if refuse and window is not None and text.size > window:
                what = f"text {number} has {text.size:,} tokens, the model reads {window:,}: shorten it, or {_CUT}"
                raise Refusal("invalid", what, param="input")
            self._require_length(number, text.size, mend=f"split it, or {_CUT}")

    def _require_length(self, number: int, tokens: int, mend: str = "shorten it") -> None:
        most = self.settings.max_text_tokens
        if tokens > most:
            what = f"text {number} has {tokens:,} tokens, this server reads {most:,}: {mend}"
            raise Refusal("invalid", what, param="input")


def _require_prompt(name: str | None, reader: TextReader) -> None:
    if name is not None and name not in reader.prompts:
        raise Refusal("invalid", str(unknown_prompt(name, reader.prompts)), param="prompt_name")


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.3f}"
