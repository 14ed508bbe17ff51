"""`DeadlineProtocol`, `DeadlineServer`: uvicorn with deadlines for slow clients, which uvicorn itself lacks."""

from __future__ import annotations

import asyncio
import logging
import socket
from functools import partial
from types import FrameType
from typing import Any

from uvicorn import Server
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from wordworth.serving.application import IS_GONE

RECEIPT_SECONDS = 10.0
"""Seconds for a TLS handshake, and for a whole request to arrive, from the opening of the connection or from the
request's first byte."""
SENDING_SECONDS = 30.0
"""Seconds for a client to go on reading after it stopped reading its answer."""
_LOGGER = logging.getLogger("uvicorn.error")
_HEAD_BYTES = 1 << 16
"""Largest number of bytes of a request's line and headers."""


class DeadlineServer(Server):
    """A uvicorn server with a short deadline for TLS handshakes, which a second Ctrl-C ends quietly.

    Uvicorn has no setting for this deadline, and the default of asyncio's event loop is a minute.
    """

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen; if the server speaks HTTPS, set the deadline for TLS handshakes."""
        if self.config.is_ssl:
            loop: Any = asyncio.get_running_loop()
            loop.create_server = partial(loop.create_server, ssl_handshake_timeout=RECEIPT_SECONDS)
        await super().startup(sockets)

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until a signal; a second Ctrl-C cancels the waiting requests, without a traceback for each.

        Args:
            sockets: the sockets on which the server listens.
        """
        try:
            super().run(sockets)
        finally:
            _LOGGER.disabled = False

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at a signal; at a second Ctrl-C stop without waiting for requests, and log none of them as failed.

        Args:
            sig: number of the signal.
            frame: where the signal came, which is not used.
        """
        super().handle_exit(sig, frame)
        _LOGGER.disabled = self.force_exit


class DeadlineProtocol(HttpToolsProtocol):
    """Uvicorn's HTTP/1.1 protocol with deadlines.

    The connection is closed if a request comes too slowly, or if the client does not read its answer in time.
    """

    def __init__(self, *arguments: Any, **named: Any) -> None:  # noqa: ANN401 - uvicorn's
        super().__init__(*arguments, **named)
        self._receiving: asyncio.TimerHandle | None = None
        self._sending: asyncio.TimerHandle | None = None
        self._head_bytes = 0
        self._in_head = True

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the deadline for the first request."""
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel all deadlines."""
        self._received()
        self._read_on()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Receive bytes of a request; close the connection if its headers are too long."""
        if self.cycle is None or self.cycle.response_complete:
            self._expect()
        self._head_bytes += len(data) if self._in_head else 0
        super().data_received(data)
        if self._in_head and self._head_bytes > _HEAD_BYTES:
            self._end(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        """Begin a request, and add to its ASGI scope a function that tells whether the client has disconnected."""
        super().on_message_begin()
        self._expect()
        self.scope[IS_GONE] = self.transport.is_closing  # type: ignore[literal-required]  # one more than ASGI's

    def on_headers_complete(self) -> None:
        """Record that the request's headers are complete, so that the deadline of a body applies."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Cancel the deadline of a request that has arrived whole."""
        self._received()
        self._in_head, self._head_bytes = True, 0
        super().on_message_complete()

    def pause_writing(self) -> None:
        """Start the deadline for a client that does not read its answer."""
        super().pause_writing()
        if self._sending is None:
            self._sending = self.loop.call_later(SENDING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the deadline of a client that did not read its answer (`pause_writing`), as it reads again."""
        self._read_on()
        super().resume_writing()

    def _unsupported_upgrade_warning(self) -> None:
        """Log nothing, where uvicorn advises installing websockets; the request is answered as any other."""

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
        """Close the connection, with an HTTP status first unless an answer was started."""
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(b"HTTP/1.1 " + status + b"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()
