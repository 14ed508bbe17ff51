"""`ServerClient`: a client of any server with OpenAI's embeddings API."""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence
from dataclasses import dataclass
from ssl import SSLCertVerificationError
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.measures.weighted_sums import Floats

_SECONDS = 60.0
_MOST_BYTES = 1 << 26
"""Maximal number of bytes of an answer; sixteen vectors of 30,000 numbers as text take a tenth of this."""
_SHOWN = 200
_NO_ROUTE = (404, 405)
"""Statuses of a server that has no such route."""
_UNKNOWN_SIGNER = (18, 19, 20)
"""OpenSSL's codes for a certificate whose signer is not known: signed by itself, by a root or by another signer."""


class _NoRedirects(HTTPRedirectHandler):
    """Follows no redirect, which would send the key to another host."""

    def redirect_request(self, *_: object) -> None:
        return None


@dataclass(frozen=True, slots=True)
class ServerClient:
    """A client of the server at an address.

    Attributes:
        address: `http://host:port`, with the path before `/v1` if there is one.
        key: API key, sent as a bearer token; empty for none.
    """

    address: str
    key: str = ""

    @classmethod
    def of(cls, address: str, key: str = "") -> ServerClient:
        """Return the client of an address, which may end in `/v1`.

        Args:
            address: the server's address.
            key: the API key; "" for a server without keys.

        Raises:
            BadInput: the address names no host.
        """
        if not _host(address):
            raise BadInput("this address names no host", where=address, mend="give one such as http://127.0.0.1:8080")
        return cls(address.rstrip("/").removesuffix("/v1"), key)

    def models(self) -> list[str]:
        """Return the names of the models that the server reports; empty for a server without the route `/v1/models`.

        Text-embeddings-inference, for example, has no such route.

        Raises:
            BadInput: the server does not answer, or does not answer in the form of OpenAI's API.
        """
        try:
            listed = self._answer("/v1/models")
        except BadInput as error:
            if isinstance(error.__cause__, HTTPError) and error.__cause__.code in _NO_ROUTE:
                return []
            raise
        models = listed.get("data") if isinstance(listed, dict) else None
        names = [entry.get("id") for entry in models if isinstance(entry, dict)] if isinstance(models, list) else []
        return [name for name in names if isinstance(name, str)]

    def embed(self, texts: Sequence[str], model: str | None) -> Floats:
        """Return a vector for each text, in the order of the answer's indices, float64 [texts, width].

        Args:
            texts: the texts, which are sent in one request.
            model: the server's name of the model; None leaves the field out of the request.

        Raises:
            BadInput: the server does not answer, or its answer is not one vector of the same width for each text.
        """
        named = {} if model is None else {"model": model}
        answered = self._answer("/v1/embeddings", {"input": list(texts), "encoding_format": "float", **named})
        try:
            rows = sorted(answered["data"], key=lambda row: row["index"])
            vectors = np.array([row["embedding"] for row in rows], dtype=np.float64)
        except (KeyError, TypeError, ValueError):
            vectors = np.zeros(0)
        if vectors.ndim != 2 or len(vectors) != len(texts):  # noqa: PLR2004 - texts and width
            what = f"this server did not answer {len(texts)} texts with as many vectors of numbers"
            raise BadInput(what, where=self.address, mend="give a server of OpenAI's /v1/embeddings")
        return vectors

    def _answer(self, path: str, body: Any = None) -> Any:  # noqa: ANN401 - JSON has any type
        """Return the JSON of the server's answer to a GET of a path, or to a POST of `body` if it is not None."""
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {self.key}"} if self.key else {})
        content = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data=content, headers=headers)  # noqa: S310 - the scheme is http or https
        try:
            with build_opener(_NoRedirects).open(request, timeout=_SECONDS) as response:
                text = response.read(_MOST_BYTES + 1)
        except HTTPError as error:
            body_text = error.read(_SHOWN).decode("utf-8", "replace").strip()
            what = f"the server refused {path} with status {error.code}" + (f": {body_text!r}" if body_text else "")
            raise BadInput(what, where=self.address, mend="see its log; a key is given with --api-key-file") from error
        except (URLError, OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            mend = "is it running, and is this its address?"
            if isinstance(reason, SSLCertVerificationError):
                mend = "its certificate must be valid today and for this name"
            if getattr(reason, "verify_code", 0) in _UNKNOWN_SIGNER:
                mend = "if you trust this server, name its certificate in the variable SSL_CERT_FILE"
            raise BadInput(f"the server does not answer ({reason})", where=self.address, mend=mend) from error
        if len(text) > _MOST_BYTES:
            raise BadInput(f"the server answers {path} with over {_MOST_BYTES:,} bytes", where=self.address)
        try:
            return parse_json(text.decode("utf-8"))
        except ValueError as error:
            mend = "give a server of OpenAI's /v1/embeddings"
            raise BadInput(f"the server answers {path} with what is not JSON", where=self.address, mend=mend) from error


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:  # an unfinished IPv6 address
        return None
