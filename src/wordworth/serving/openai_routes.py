"""OpenAI's routes: `/v1/embeddings` and `/v1/models`."""

from __future__ import annotations

import numpy as np

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.models.canary_texts import as_base64
from wordworth.serving.model_service import Call, Service
from wordworth.serving.request_bodies import EmbeddingsBody, decode, require_dimensions, require_texts
from wordworth.serving.request_errors import Refusal

Answer = tuple[object, dict[str, str]]
"""The body of an answer, as bytes or a value to encode as JSON, and its headers."""


async def embeddings(service: Service, body: bytes, call: Call) -> Answer:
    """Answer `/v1/embeddings`: the vectors of `encode`, each with the numbers of tokens that were read and truncated.

    If the request sets `dimensions`, vectors are truncated to so many numbers, and scaled to length 1 again if they had
    length 1 before.

    Args:
        service: the served model with its batching engine.
        body: the request's JSON.
        call: the request's deadline and client.
    """
    request, reader = decode(body, EmbeddingsBody), service.require_vectors()
    if request.model is not None and request.model != service.served.name:
        what = f"no model {request.model!r:.80} here; this server has {service.served.name!r}"
        raise Refusal("unknown_model", what, param="model")
    texts, _ = require_texts(request.input, "input")
    wanted = require_dimensions(request.dimensions, reader.width)
    done = await service.embed(texts, call, truncate=None)
    vectors = np.stack(done.vectors)
    if wanted < reader.width:
        vectors = unit_or_zero(vectors[:, :wanted]) if reader.has_unit_vectors else vectors[:, :wanted]
    form = as_base64 if request.encoding_format == "base64" else lambda vector: vector.tolist()
    data = [
        {"object": "embedding", "index": index, "embedding": form(vector), "tokens": text.size, "cut_tokens": text.cut}
        for index, (vector, text) in enumerate(zip(vectors, done.texts, strict=True))
    ]
    tokens = sum(text.size for text in done.texts)
    usage = {"prompt_tokens": tokens, "total_tokens": tokens}
    return {"object": "list", "data": data, "model": service.served.name, "usage": usage}, done.headers


async def models(service: Service, body: bytes, call: Call) -> Answer:  # noqa: ARG001 - as every route
    """Answer `/v1/models`: the one model that is served.

    Args:
        service: the served model with its batching engine.
        body: the request's body, which is not read.
        call: the request's deadline and client, which are not used.
    """
    model = {"id": service.served.name, "object": "model", "created": 0, "owned_by": "wordworth"}
    return {"object": "list", "data": [{**model, "fingerprint": service.served.fingerprint}]}, {}
