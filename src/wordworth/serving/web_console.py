"""The route `/`: a page to try the served model on, which also shows how many requests wait; it works offline."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from wordworth.serving.model_service import Call, Service
from wordworth.serving.openai_routes import Answer

_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
}


@cache
def _page() -> bytes:
    return files(__package__).joinpath("console.html").read_bytes()


async def console(service: Service, body: bytes, call: Call) -> Answer:  # noqa: ARG001 - as every route
    """Answer `/` with the page, whose script calls the other routes; the page is the same for every model.

    Args:
        service: the served model with its batching engine, which is not used.
        body: the request's body, which is not read.
        call: the request's deadline and client, which are not used.
    """
    return _page(), _HEADERS
