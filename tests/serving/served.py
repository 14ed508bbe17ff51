"""A small server for tests: an application over a tiny encoder, asked in this process."""

import asyncio
from contextlib import contextmanager

import httpx
from tests.models.tiny import write_modules, write_tiny

import wordworth as ww
from wordworth.serving.application import application
from wordworth.serving.model_service import Service
from wordworth.serving.settings import ServeSettings

WORDS = ["the", "a", "b", "cab", "bad!", "zebra", "it's", "sass"]


def tiny_encoder(folder, mode="mean", **changes):
    """A random encoder that reads 24 tokens at once, pooled in this way."""
    write_tiny(folder, **changes)
    names = {"mean": "mean_tokens", "cls": "cls_token", "max": "max_tokens", "last": "lasttoken"}
    write_modules(folder, {"word_embedding_dimension": 32, f"pooling_mode_{names[mode]}": True})
    return ww.load(folder)


@contextmanager
def served(model, *, is_loaded=True, **settings):
    """An application over a model, whose threads end with the block."""
    service = Service(model, ServeSettings(**settings))
    if is_loaded:
        service.load()
    try:
        yield application(service)
    finally:
        service.stop()


def ask_all(app, requests):
    """Answers to requests that are sent at once; a request is (path, body) or a path alone."""

    async def send():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://served") as client:
            return await asyncio.gather(*(_send(client, *each) for each in requests))

    return asyncio.run(send())


async def _send(client, path, body=None, headers=None):
    if body is None:
        return await client.get(path, headers=headers)
    content = {"content": body} if isinstance(body, bytes) else {"json": body}
    return await client.post(path, **content, headers=headers)


def ask(app, path, body=None, headers=None):
    """The answer to one request."""
    return ask_all(app, [(path, body, headers)])[0]
