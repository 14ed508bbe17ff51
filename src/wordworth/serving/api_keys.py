"""API keys: read the file of accepted keys, and check the key of a request."""

from __future__ import annotations

import hmac
import re
from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import Path

from wordworth.errors import BadInput
from wordworth.serving.request_errors import Refusal


def require_key(authorization: str, keys: Sequence[bytes]) -> None:
    """Check that a request has one of the accepted keys; without accepted keys every request passes.

    The comparison takes the same time whether or not a key matches, and whichever key matches, so that its duration
    reveals nothing.

    Args:
        authorization: the request's header `Authorization`, `Bearer KEY` (`bearer` too), a character for each byte that
            the client sent; empty if the request lacks this header.
        keys: the accepted keys.

    Raises:
        Refusal: there are accepted keys, and the request's key is not among them.
    """
    key = re.sub(r"(?i)^bearer\s", "", authorization).strip().encode("latin-1")
    matches = [hmac.compare_digest(key, accepted) for accepted in keys]
    if keys and not any(matches):
        raise Refusal("key", "no valid API key was given: send the header Authorization: Bearer KEY")


def read_keys(path: Path) -> list[bytes]:
    """Return the keys in a file, one on each line; a byte order mark is not part of the first key.

    Raises:
        BadInput: the file cannot be read, or holds no key.
    """
    try:
        lines = path.read_bytes().removeprefix(BOM_UTF8).splitlines()
    except OSError as error:
        mend = "give a file of keys, one a line"
        raise BadInput(
            f"cannot read: {str(error.strerror).lower()}", where=f"--api-key-file {path}", mend=mend
        ) from error
    keys = [line.strip() for line in lines if line.strip()]
    if not keys:
        raise BadInput("this file holds no key", where=f"--api-key-file {path}", mend="write keys into it, one a line")
    return keys
