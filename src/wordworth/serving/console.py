"""`/`: a page to try the served model on, which shows what waits; it loads nothing and works offline."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from wordworth.serving.openai_routes import Answer
from wordworth.serving.service import Call, Service

_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "connect-src 'self'; img-src data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
}


@cache
def _page() -> bytes:
    return files(__package__).joinpath("console.html").read_bytes()


async def console(service: Service, body: bytes, call: Call) -> Answer:  # noqa: ARG001 - as every route
    """Answer `/`: the page, which asks the other routes and holds nothing of the model."""
    return _page(), _HEADERS
