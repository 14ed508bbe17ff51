"""`app`: the server as an ASGI application, which uvicorn, Granian or a test client can run."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from wordworth.errors import BadInput, NotEnoughMemory
from wordworth.progress import LOGGER
from wordworth.serving import openai_routes, tei_routes
from wordworth.serving.api_keys import require_key
from wordworth.serving.model_service import Call, Service
from wordworth.serving.openai_routes import Answer
from wordworth.serving.openapi import openapi
from wordworth.serving.request_bodies import encode
from wordworth.serving.request_errors import Kind, Refusal
from wordworth.serving.settings import ServeSettings
from wordworth.serving.web_console import console

IS_GONE = "wordworth.is_gone"
"""Key of the ASGI scope for a function that returns whether the client has disconnected; `DeadlineProtocol` sets it."""
_JSON = "application/json"
_DISCARDED = 8
"""A body that is too large is read and discarded up to this many times the limit, so that the client reads the error.
"""
Handler = Callable[[Service, bytes, Call], Awaitable[Answer]]


def app(model: Any, settings: ServeSettings | None = None) -> Starlette:  # noqa: ANN401 - a name or a loaded model
    """Load a model, and return its server as an ASGI application.

    Args:
        model: a name, a folder, or a model that `wordworth.load` returned.
        settings: limits, keys and so on; `host`, `port` and the TLS files are not used, as the caller opens the port.

    Raises:
        BadInput: the model cannot be loaded.
    """
    service = Service(model, settings or ServeSettings())
    service.load()
    return application(service)


def application(service: Service, load: Callable[[], Awaitable[None]] | None = None) -> Starlette:
    """Return the ASGI application of a service.

    Args:
        service: the served model with its batching engine.
        load: coroutine function that loads the model; the application calls it at startup, and answers requests while
            it runs. None if the model is loaded already.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        loading = asyncio.ensure_future(load()) if load else None
        yield
        if loading:
            await loading
        await asyncio.to_thread(service.stop)

    def route(path: str, handler: Handler, method: str = "POST", *, is_open: bool = False) -> Route:
        async def endpoint(request: Request) -> Response:
            return await _answer(service, handler, request, is_open=is_open)

        return Route(path, endpoint, methods=[method])

    routes = [
        route("/v1/embeddings", openai_routes.embeddings),
        route("/v1/models", openai_routes.models, "GET"),
        *(
            route(f"/{name}", getattr(tei_routes, name))
            for name in ("embed", "embed_all", "similarity", "predict", "rerank")
        ),
        route("/tokenize", tei_routes.tokenize),
        route("/info", tei_routes.info, "GET"),
        *(route(f"/{name}", tei_routes.health, "GET", is_open=True) for name in ("health", "ping")),
        route("/", console, "GET", is_open=True),
        route("/openapi.json", openapi, "GET", is_open=True),
        route("/metrics", tei_routes.metrics, "GET", is_open=True),
    ]
    return Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _no_route})


async def _answer(service: Service, handler: Handler, request: Request, *, is_open: bool) -> Response:
    """Answer a request: check its key, read its body and call the route's handler.

    Errors are answered in the form of the route's API. `is_open` says that the route needs no key.
    """
    began, metrics, path = time.monotonic(), service.metrics, request.url.path
    metrics.count("te_request_count", method=path.rpartition("/")[2])
    try:
        if not is_open:
            require_key(request.headers.get("authorization", ""), service.keys)
        body = await _body(request, service.settings.max_body_bytes)
        call = Call(
            began + _seconds(request, service.settings.timeout), request.scope.get(IS_GONE, lambda: False), began
        )
        content, headers = await handler(service, body, call)
    except ClientDisconnect:
        return Response(status_code=499)
    except Exception as error:  # noqa: BLE001 - whatever it is, the client is answered
        refusal = _refusal(error)
        metrics.count("te_request_failure", err=refusal.kind)
        return _refused(refusal, path, _fingerprint(service))
    metrics.count("te_request_success", method=path.rpartition("/")[2])
    metrics.observe("te_request_duration", time.monotonic() - began)
    content = content if isinstance(content, bytes) else encode(content)
    return Response(content, headers={"content-type": _JSON, **headers, **_fingerprint(service)})


def _fingerprint(service: Service) -> dict[str, str]:
    return {"x-model-fingerprint": service.served.fingerprint} if service.is_ready else {}


def _refusal(error: Exception) -> Refusal:
    """Return the refusal with which an error is answered; details of an unexpected error are only logged."""
    match error:
        case Refusal():
            return error
        case BadInput():
            return Refusal("invalid", str(error))
        case NotEnoughMemory() | MemoryError():
            return Refusal("unhealthy", "the server lacks the memory for this request", retry_after=10)
        case _:
            LOGGER.error("a request failed", exc_info=error)
            return Refusal("failed", "this server failed to compute the request; its log says why")


def _refused(refusal: Refusal, path: str, headers: dict[str, str]) -> Response:
    content = refusal.as_openai() if path.startswith("/v1/") else refusal.as_tei()
    closing = {"connection": "close"} if refusal.kind == "too_large" else {}
    headers = {"content-type": _JSON, **headers, **refusal.headers, **closing}
    return Response(encode(content), refusal.status, headers)


async def _no_route(request: Request, error: Exception) -> Response:
    """Answer a request whose path is no route, or whose method is not the route's."""
    assert isinstance(error, HTTPException)  # noqa: S101 - what it is registered for
    kinds: dict[int, Kind] = {404: "unknown_route", 405: "wrong_method"}
    if error.status_code not in kinds:
        raise error
    headers = dict(error.headers or {})
    why = f"use {headers['Allow']}" if "Allow" in headers else "no such route"
    what = f"{request.method} {request.url.path}: {why}"
    return _refused(Refusal(kinds[error.status_code], what), request.url.path, headers)


async def _body(request: Request, most: int) -> bytes:
    """Read the body of a request.

    Raises:
        Refusal: the body has more than `most` bytes, or is compressed.
        ClientDisconnect: the client left.
    """
    encoding = request.headers.get("content-encoding", "identity")
    if encoding.lower() != "identity":
        raise Refusal("malformed", f"the body is encoded as {encoding!r:.40}: send it uncompressed")
    refusal = Refusal("too_large", f"the body has more than {most:,} bytes, the most that this server reads")
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > most * _DISCARDED:
        raise refusal
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most * _DISCARDED:
            raise refusal
        if size <= most:
            parts.append(part)
    if size > most:
        raise refusal
    return b"".join(parts)


def _seconds(request: Request, most: float) -> float:
    """Return the seconds until a request's deadline: the number in its header `x-request-timeout`, at most `most`.

    Raises:
        Refusal: the header is not a number of seconds above 0.
    """
    wanted = request.headers.get("x-request-timeout")
    if wanted is None:
        return most
    try:
        seconds = float(wanted)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < float("inf"):
        raise Refusal(
            "invalid", f"x-request-timeout is {wanted!r:.40}, not a number of seconds", param="x-request-timeout"
        )
    return min(seconds, most)
