"""`serve`: run an HTTP server of a model until it is stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.errors import BadInput, MissingExtra
from wordworth.models.cpu_inference import DtypeOption
from wordworth.progress import SILENT, Progress
from wordworth.serving.check_tls_files import require_tls_files
from wordworth.serving.settings import ServeSettings
from wordworth.settings_docs import documented_by
from wordworth.settings_validation import settings_from
from wordworth.sources import short_name
from wordworth.text.windows import LongTexts

if TYPE_CHECKING:
    from uvicorn import Server

    from wordworth.serving.model_service import Service

PACKAGES = ("starlette", "uvicorn", "httptools", "msgspec")
"""Packages of the extra `serve` that the server needs."""
_BACKLOG = 2048


@documented_by(ServeSettings)
def serve(  # noqa: PLR0913 - the settings, each by its name
    model: str | Path,
    *,
    host: str = "127.0.0.1",
    port: int = 8080,
    api_key_file: Path | str | None = None,
    tls_certificate: Path | str | None = None,
    tls_key: Path | str | None = None,
    dtype: DtypeOption = "auto",
    device: str = "auto",
    long_texts: LongTexts = "window",
    pooling: Sequence[str] | str = (),
    layers: Sequence[int] | int = (),
    special_tokens: bool = True,
    threads: int | None = None,
    max_texts: int = 2048,
    max_text_tokens: int = 8192,
    max_body_bytes: int = 2_000_000,
    max_waiting: int = 512,
    timeout: float = 60.0,
    progress: Progress = SILENT,
) -> None:
    """Serve a model over HTTP until SIGINT or SIGTERM, then answer the waiting requests and return.

    Args:
        model: a name, a folder or a hub name of an encoder or a static table; or the output folder of a study `worth`
            (the text representation with its classifier that its verdict names), of a fine-tuning or of a probe.
        long_texts: how texts longer than the model's window are read: `window`, `cut` or `error`.
        pooling: the poolings of token states whose results are joined, in place of the encoder's own: `mean`, `cls`,
            `max`, `lasttoken`, `weightedmean`, `mean_sqrt_len_tokens`.
        layers: the layers whose states are joined and pooled, in place of the last; negative numbers count from the
            last.
        special_tokens: whether the states of special tokens, such as [CLS] and [SEP], are pooled too.
        progress: receives messages: that the server is ready, and at the end how many requests it answered.

    Raises:
        BadInput: the model cannot be loaded, the port is in use, the file of keys is empty or cannot be read, or the
            TLS files cannot be used.
        MissingExtra: a package of the extra `serve` is not installed.

    >>> serve("minilm", port=8080)  # doctest: +SKIP
    """
    settings = settings_from(locals(), ServeSettings)
    require_packages()
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")  # a thread pool costs a single text more than it saves
    from wordworth.serving.model_service import Service

    service = Service(model, settings)
    with _listening(settings) as listener:
        _Run(service, settings, progress).until_stopped(listener)


def require_packages() -> None:
    """Check that the packages that the server needs are installed.

    Raises:
        MissingExtra: a package is not installed.
    """
    from importlib.util import find_spec

    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise MissingExtra(" ".join(missing), "serve")


@contextlib.contextmanager
def _listening(settings: ServeSettings) -> Iterator[socket.socket]:
    """Yield a socket that listens.

    Raises:
        BadInput: the address is not this machine's, or the port is taken or forbidden.
    """
    where = f"{settings.host}:{settings.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise BadInput(f"no address {settings.host!r:.80}", where="--host", mend="give 127.0.0.1 or 0.0.0.0") from error
    with socket.socket(family, kind, protocol) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
            listener.listen(_BACKLOG)
        except OSError as error:
            what = f"cannot listen: {str(error.strerror).lower()}"
            raise BadInput(what, where=where, mend="give another --port or --host") from error
        yield listener


@dataclass(slots=True)
class _Run:
    """One run of the server, from loading to its end."""

    service: Service
    settings: ServeSettings
    progress: Progress
    failure: Exception | None = None
    _server: Server | None = field(default=None, repr=False)

    def until_stopped(self, listener: socket.socket) -> None:
        """Serve until a signal stops it.

        Raises:
            BadInput: the model cannot be loaded.
        """
        import uvicorn

        from wordworth.serving.application import application
        from wordworth.serving.http_protocol import DeadlineProtocol, DeadlineServer

        host, port = listener.getsockname()[:2]
        is_secure = require_tls_files(self.settings.tls_certificate, self.settings.tls_key)
        address = f"http{'s' if is_secure else ''}://{f'[{host}]' if ':' in host else host}:{port}"
        config = uvicorn.Config(
            application(self.service, lambda: self._load(address)),
            http=DeadlineProtocol,
            ws="none",
            log_config=None,
            ssl_certfile=self.settings.tls_certificate,
            ssl_keyfile=self.settings.tls_key,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=int(self.settings.timeout) + 10,
        )
        self._server = DeadlineServer(config)
        if not _is_loopback(host) and self.settings.api_key_file is None:
            self.progress.note(f"{address} is open to the network without a key: --api-key-file asks for one")
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises the signal again once it has stopped
            self._server.run(sockets=[listener])
        if self.failure is not None:
            raise self.failure
        answered = self.service.metrics.total("te_request_success")
        self.progress.note(f"stopped; {answered:,} requests were answered")

    async def _load(self, address: str) -> None:
        """Load the model, while the server answers that it is not ready; stop the server if loading fails."""
        try:
            with self.progress.step(f"loading {short_name(str(self.service.model))}"):
                await asyncio.to_thread(self.service.load)
        except Exception as error:  # noqa: BLE001 - whatever it is, no model will ever be ready; it is raised at the end
            lacks_torch = isinstance(error, ModuleNotFoundError) and error.name == "torch"
            self.failure = MissingExtra("torch", "torch") if lacks_torch else error
            assert self._server is not None  # noqa: S101 - it runs this
            self._server.should_exit = True
            return
        served = self.service.served
        what = "predictions at /predict" if served.predicts else f"{served.model.width} numbers, {served.model.dtype}"
        self.progress.note(f"serving {served.name} ({what}) at {address}; Ctrl-C stops it")


def _is_loopback(host: str) -> bool:
    return ip_address(host.partition("%")[0]).is_loopback
