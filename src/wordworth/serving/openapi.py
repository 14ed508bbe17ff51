"""`/openapi.json`: the OpenAPI 3.1 description of the server's routes, bodies, answers and errors."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, NotRequired, TypedDict

import msgspec

from wordworth.package_versions import version
from wordworth.serving import request_bodies
from wordworth.serving.model_service import Call, Service
from wordworth.serving.openai_routes import Answer
from wordworth.serving.request_errors import Kind, status_of


class Embedding(TypedDict):
    """A vector in the answer of `/v1/embeddings`, as numbers, or as float32 little-endian in base64.

    `tokens` is the number of the text's tokens that the model read, and `cut_tokens` the number of truncated tokens.
    """

    object: Literal["embedding"]
    index: int
    embedding: list[float] | str
    tokens: int
    cut_tokens: int


class Embeddings(TypedDict):
    """The body of the answer to a request to `/v1/embeddings`."""

    object: Literal["list"]
    data: list[Embedding]
    model: str
    usage: dict[Literal["prompt_tokens", "total_tokens"], int]


class Relevance(TypedDict):
    """A text in the answer of `/rerank`, with its index in the request and its relevance to the query."""

    index: int
    score: float
    text: NotRequired[str]


class Token(TypedDict):
    """A token in the answer of `/tokenize`; `start` and `stop` are indices of characters, null for a special token."""

    id: int
    text: str
    special: bool
    start: int | None
    stop: int | None


class OpenAIError(TypedDict):
    """The body of an error of the routes under `/v1/`."""

    error: dict[str, str | None]


class TEIError(TypedDict):
    """The body of an error of the routes that are not under `/v1/`, as text-embeddings-inference has it."""

    error: str
    error_type: str


_JSON, _OPEN = "application/json", {"/", "/health", "/ping", "/metrics", "/openapi.json"}
_POSTED: dict[str, tuple[type[msgspec.Struct], Any]] = {
    "/v1/embeddings": (request_bodies.EmbeddingsBody, Embeddings),
    "/embed": (request_bodies.EmbedBody, list[list[float]]),
    "/embed_all": (request_bodies.EmbedAllBody, list[list[list[float]]]),
    "/similarity": (request_bodies.SimilarityBody, list[float]),
    "/predict": (request_bodies.PredictBody, list[Any] | dict[str, Any]),
    "/rerank": (request_bodies.RerankBody, list[Relevance]),
    "/tokenize": (request_bodies.TokenizeBody, list[list[Token]]),
}
_READ: dict[str, Any] = {
    "/v1/models": dict[str, Any],
    "/info": dict[str, Any],
    "/health": dict[str, str],
    "/ping": dict[str, str],
    "/openapi.json": dict[str, Any],
}
"""Path of a GET route with a JSON answer -> type of the answer.

`_POSTED` has (type of the body, type of the answer) of each POST route, `_TEXTS` the media types of other GET routes.
"""
_TEXTS = {"/": "text/html", "/metrics": "text/plain"}
_REFUSED: dict[str, tuple[Kind, ...]] = {
    "POST": ("malformed", "too_large", "invalid", "wrong_model", "overloaded", "late"),
    "GET": ("invalid",),
}


async def openapi(service: Service, body: bytes, call: Call) -> Answer:  # noqa: ARG001 - as every route
    """Answer `/openapi.json` with the server's description.

    Args:
        service: the served model with its batching engine, which is not used.
        body: the request's body, which is not read.
        call: the request's deadline and client, which are not used.
    """
    return description(), {}


@cache
def description() -> dict[str, Any]:
    """Return the description of the server as an OpenAPI 3.1 document."""
    types = [*(each for pair in _POSTED.values() for each in pair), *_READ.values(), OpenAIError, TEIError]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    named = iter(schemas)
    paths: dict[str, Any] = {}
    for path in _POSTED:
        body, answer = next(named), next(named)
        content = {"requestBody": {"required": True, "content": {_JSON: {"schema": body}}}}
        paths[path] = {"post": {**content, **_operation(path, "POST", {_JSON: {"schema": answer}})}}
    for path in _READ:
        paths[path] = {"get": _operation(path, "GET", {_JSON: {"schema": next(named)}})}
    for path, form in _TEXTS.items():
        paths[path] = {"get": _operation(path, "GET", {form: {"schema": {"type": "string"}}})}
    key = {"key": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Wordworth", "version": version("wordworth")},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": key},
    }


def _operation(path: str, method: str, answer: dict[str, Any]) -> dict[str, Any]:
    """Return the description of the answers and errors of a route; `answer` describes the body of a success."""
    kinds: list[Kind] = [*_REFUSED[method], "unhealthy", "failed"]
    kinds += [] if path in _OPEN else ["key"]
    kinds += ["unknown_model"] if path == "/v1/embeddings" else []
    error = {"$ref": f"#/components/schemas/{'OpenAIError' if path.startswith('/v1/') else 'TEIError'}"}
    refused = {
        str(status_of(kind)): {"description": kind.replace("_", " "), "content": {_JSON: {"schema": error}}}
        for kind in kinds
    }
    security: list[dict[str, Any]] = [] if path in _OPEN else [{"key": []}, {}]
    return {"responses": {"200": {"description": "the answer", "content": answer}, **refused}, "security": security}
