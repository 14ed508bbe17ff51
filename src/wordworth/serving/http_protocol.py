"""`DeadlineProtocol`: uvicorn's HTTP protocol with deadlines for what a client sends and reads, which uvicorn lacks."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from wordworth.serving.application import IS_GONE

RECEIPT_SECONDS = 10.0
"""Seconds in which a request must arrive whole, from its connection's or its own first byte on."""
SENDING_SECONDS = 30.0
"""Seconds in which a client must read on, once it does not take what it is sent."""
_HEAD_BYTES = 1 << 16
"""Most bytes of a request before its body."""


class DeadlineProtocol(HttpToolsProtocol):
    """HTTP/1.1 in which a request that arrives too slowly, or whose answer is not read, ends its connection."""

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*arguments, **named)
        self._receiving: asyncio.TimerHandle | None = None
        self._sending: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget all deadlines."""
        self._received()
        self._read_on()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take some bytes of a request."""
        if self.cycle is None or self.cycle.response_complete:
            self._expect()
        self._head_bytes += len(data) if self._in_head else 0
        super().data_received(data)
        if self._in_head and self._head_bytes > _HEAD_BYTES:
            self._end(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        """Begin a request; what it is given says whether its client has left."""
        super().on_message_begin()
        self._expect()
        self.scope[IS_GONE] = self.transport.is_closing  # type: ignore[literal-required]  # one more than ASGI's

    def on_headers_complete(self) -> None:
        """End a request's head."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """End a request."""
        self._received()
        self._in_head, self._head_bytes = True, 0
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Begin to wait for a client that does not read."""
        super().pause_writing()
        if self._sending is None:
            self._sending = self.loop.call_later(SENDING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on, as the client reads."""
        self._read_on()
        super().resume_writing()

    def _expect(self) -> None:
        if self._receiving is None:
            self._receiving = self.loop.call_later(RECEIPT_SECONDS, self._end, b"408 Request Timeout")

    def _received(self) -> None:
        if self._receiving is not None:
            self._receiving.cancel()
            self._receiving = None

    def _read_on(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None

    def _end(self, status: bytes) -> None:
        """End the connection, with a status unless an answer has begun."""
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(b"HTTP/1.1 " + status + b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()
