"""Routes of text-embeddings-inference: `/embed`, `/embed_all`, `/similarity`, `/predict`, `/tokenize`, `/info`, ..."""

from __future__ import annotations

from typing import Any

import numpy as np

from wordworth.measures.geometry.mean_cosine import unit_or_zero
from wordworth.models.canary_texts import CANARIES
from wordworth.package_versions import version
from wordworth.serving.model_service import Call, Service
from wordworth.serving.openai_routes import Answer
from wordworth.serving.request_bodies import (
    EmbedAllBody,
    EmbedBody,
    PredictBody,
    RerankBody,
    SimilarityBody,
    SimilarityParameters,
    TokenizeBody,
    decode,
    require_dimensions,
    require_texts,
)
from wordworth.serving.request_errors import Refusal


async def embed(service: Service, body: bytes, call: Call) -> Answer:
    """Answer `/embed`: vectors, scaled to length 1 unless `normalize` is false.

    Args:
        service: the served model with its batching engine.
        body: the request's JSON.
        call: the request's deadline and client.
    """
    request, reader = decode(body, EmbedBody), service.require_vectors()
    texts, _ = require_texts(request.inputs, "inputs")
    wanted = require_dimensions(request.dimensions, reader.width)
    done = await service.embed(texts, call, truncate=request.truncate, prompt=request.prompt_name)
    vectors = np.stack(done.vectors)[:, :wanted]
    return (unit_or_zero(vectors) if request.normalize else vectors).tolist(), done.headers


async def embed_all(service: Service, body: bytes, call: Call) -> Answer:
    """Answer `/embed_all`: the last hidden states of each text's tokens, special tokens included.

    Args:
        service: the served model with its batching engine.
        body: the request's JSON.
        call: the request's deadline and client.
    """
    request, reader = decode(body, EmbedAllBody), service.require_vectors()
    texts, _ = require_texts(request.inputs, "inputs")
    wanted = require_dimensions(request.dimensions, reader.width)
    done = await service.embed(texts, call, truncate=request.truncate, by_token=True, prompt=request.prompt_name)
    states = [of_text[:, :wanted] for of_text in done.vectors]
    return [(unit_or_zero(each) if request.normalize else each).tolist() for each in states], done.headers


async def similarity(service: Service, body: bytes, call: Call) -> Answer:
    """Answer `/similarity`: the cosine of one text with each of several texts.

    Args:
        service: the served model with its batching engine.
        body: the request's JSON.
        call: the request's deadline and client.
    """
    request = decode(body, SimilarityBody)
    texts, how = request.inputs, request.parameters or SimilarityParameters()
    if not texts.sentences:
        raise Refusal("empty", "inputs.sentences is empty", param="inputs.sentences")
    compared = [texts.source_sentence, *texts.sentences]
    done = await service.embed(compared, call, truncate=how.truncate, prompt=how.prompt_name)
    vectors = unit_or_zero(np.stack(done.vectors))
    return (vectors[1:] @ vectors[0]).tolist(), done.headers


async def predict(service: Service, body: bytes, call: Call) -> Answer:
    """Answer `/predict`: each class with its probability, the likeliest first.

    For a model of another kind of task the answer has the values that `wordworth predict` writes.

    Args:
        service: the served model with its batching engine.
        body: the request's JSON.
        call: the request's deadline and client.
    """
    request = decode(body, PredictBody)
    if request.raw_scores:
        raise Refusal("invalid", "raw_scores is not supported: probabilities are given", param="raw_scores")
    answers, are_several, headers = await service.predict(request.inputs, call)
    forms = [_in_tei_form(answer) for answer in answers]
    return forms if are_several else forms[0], headers


async def rerank(service: Service, body: bytes, call: Call) -> Answer:
    """Answer `/rerank`: the index of each text in the request and its score, the most relevant to the query first.

    Args:
        service: the served model with its batching engine.
        body: the request's JSON.
        call: the request's deadline and client.
    """
    request = decode(body, RerankBody)
    if request.raw_scores:
        raise Refusal("invalid", "raw_scores is not supported: probabilities are given", param="raw_scores")
    scores, headers = await service.rerank(request.query, request.texts, request.relevant, call)
    order = sorted(range(len(scores)), key=lambda number: -scores[number])
    texts = request.texts if request.return_text else None
    return [
        {"index": number, "score": scores[number]} | ({} if texts is None else {"text": texts[number]})
        for number in order
    ], headers


def _in_tei_form(answer: dict[str, Any]) -> object:
    """Return a prediction in the form of TEI: classes with scores; a prediction without classes stays unchanged."""
    shares = answer.get("probabilities")
    if not isinstance(shares, dict):
        return answer
    return [{"label": label, "score": share} for label, share in sorted(shares.items(), key=lambda pair: -pair[1])]


async def tokenize(service: Service, body: bytes, call: Call) -> Answer:  # noqa: ARG001 - as every route
    """Answer `/tokenize`: the tokens of each text, with the indices of their characters.

    Args:
        service: the served model with its batching engine.
        body: the request's JSON.
        call: the request's deadline and client.
    """
    request = decode(body, TokenizeBody)
    texts, _ = require_texts(request.inputs, "inputs")
    tokenized = await service.token_spans(texts, special=request.add_special_tokens, prompt=request.prompt_name)
    return [
        [
            {
                "id": token.id,
                "text": token.piece if token.span is None else text[slice(*token.span)],
                "special": token.span is None,
                "start": None if token.span is None else token.span[0],
                "stop": None if token.span is None else token.span[1],
            }
            for token in tokens
        ]
        for text, tokens in tokenized
    ], {}


async def info(service: Service, body: bytes, call: Call) -> Answer:  # noqa: ARG001 - as every route
    """Answer `/info`: the model's name, kind and fingerprint, the server's limits, and the seconds per thousand texts.

    A model that computes vectors also has its width, prompts and layers, and its vectors of the canaries (fixed texts
    by which models are recognised). A model that predicts has the results of the run that made it.

    Args:
        service: the served model with its batching engine.
        body: the request's body, which is not read.
        call: the request's deadline and client, which are not used.
    """
    served, settings = service.served, service.settings
    model = served.model
    known: dict[str, object] = {
        "model_id": served.name,
        "model_sha": served.fingerprint,
        "model_dtype": model.predictor.dtype if served.predicts else model.dtype,
        "model_type": _kind(service),
        "max_concurrent_requests": settings.max_waiting,
        "max_input_length": settings.max_text_tokens,
        "max_batch_tokens": settings.max_text_tokens,
        "max_client_batch_size": settings.max_texts,
        "auto_truncate": settings.long_texts == "cut",
        "tokenization_workers": 1,
        "version": version("wordworth"),
        "fingerprint": served.fingerprint,
        "cost": service.speed,
    }
    if served.predicts:
        known |= model.measured
    else:
        canaries = {"texts": CANARIES, "vectors": served.canaries}
        known |= {"width": model.width, "window": model.window, "long_texts": settings.long_texts, "canaries": canaries}
        known |= {"prompts": dict(model.prompts), "layers": list(model.layers)}
    return known, {}


def _kind(service: Service) -> dict[str, object]:
    model = service.served.model
    if not service.served.predicts:
        return {"embedding": {"pooling": model.pooling}}
    names = dict(enumerate(model.predictor.classes))
    labels = {
        "id2label": {str(number): name for number, name in names.items()},
        "label2id": {n: i for i, n in names.items()},
    }
    return {"classifier": {**labels, "kind": model.predictor.task_type.name}}


async def health(service: Service, body: bytes, call: Call) -> Answer:  # noqa: ARG001 - as every route
    """Answer `/health`: 200 once the model is loaded, 503 before.

    Args:
        service: the served model with its batching engine.
        body: the request's body, which is not read.
        call: the request's deadline and client, which are not used.
    """
    return {"status": "ok", "model": service.served.name}, {}


async def metrics(service: Service, body: bytes, call: Call) -> Answer:  # noqa: ARG001 - as every route
    """Answer `/metrics`: the server's counts and durations in the text format of Prometheus.

    Args:
        service: the served model with its batching engine.
        body: the request's body, which is not read.
        call: the request's deadline and client, which are not used.
    """
    gauges = {"te_queue_size": float(service.waiting)}
    return service.metrics.text(gauges).encode(), {"content-type": "text/plain; version=0.0.4; charset=utf-8"}
