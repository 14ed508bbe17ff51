"""`doctor`: is a checkpoint what it claims to be, and does a server compute the vectors of the model that it should?"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.errors import BadInput
from wordworth.files import as_path

if TYPE_CHECKING:
    from wordworth.inference.checkpoint_checks import Check

_SCHEMES = ("http://", "https://")
_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(/\S*)?")


def is_address(model: object) -> bool:
    """Return whether what is checked is a server, not a checkpoint.

    Raises:
        BadInput: it is a host and a port without a scheme.
    """
    if isinstance(model, str) and _HOST_AND_PORT.fullmatch(model) and not Path(model).exists():
        raise BadInput("no model, folder or file has this name", where=model, mend=f"give a server as http://{model}")
    return isinstance(model, str) and model.lower().startswith(_SCHEMES)


def doctor(
    model: str | Path,
    *,
    against: str | None = None,
    index: Path | str | None = None,
    api_key_file: Path | str | None = None,
) -> list[Check]:
    """Check the checkpoint of an encoder, or the vectors of a server of OpenAI's embeddings API; one `Check` for each.

    A server, whichever program it is, is asked for the vectors of sixteen short texts, which are compared with those of
    the model here. Where they differ, the last check names the likely cause: another pooling, a missing prompt, texts
    that are cut, another order.

    Args:
        model: a name, a folder, or the address of a server, `http://host:port`.
        against: with an address: the name or folder of the model that the server should have; where not given, the one
            that it says it has.
        index: with an address: folder of an index; the server's vectors are compared with those of the model that the
            index was made with, whether it is here or not.
        api_key_file: with an address: a file whose first line is the key to send.

    Returns:
        A check each; for a checkpoint too broken to load, a single failed one that says why.

    Raises:
        BadInput: nothing has that name, the model of that name is not an encoder, or the server does not answer.
    """
    if not is_address(model):
        for flag, value in (("--against", against), ("--index", index), ("--api-key-file", api_key_file)):
            if value is not None:
                raise BadInput("this is for a server", where=flag, mend="leave it out, or give a server's address")
        from wordworth.inference.checkpoint_checks import check_checkpoint  # imports torch

        return check_checkpoint(model)
    if against is not None and index is not None:
        raise BadInput("a server is compared with a model or with an index", mend="give --against or --index")
    from wordworth.serving.api_keys import read_keys
    from wordworth.serving.server_checks import check_server

    key = "" if api_key_file is None else read_keys(Path(api_key_file))[0].decode("utf-8", "surrogateescape")
    return check_server(str(model), against, key, None if index is None else as_path(index, "--index"))
