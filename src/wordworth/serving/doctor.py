"""`doctor`: check the checkpoint of an encoder, or check that a server computes the vectors of the right model."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from wordworth.errors import BadInput
from wordworth.files import as_path

if TYPE_CHECKING:
    from wordworth.inference.check_model_files import Check

_SCHEMES = ("http://", "https://")
_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(/\S*)?")


def is_address(model: object) -> bool:
    """Return whether `model` is the address of a server, rather than a checkpoint.

    Raises:
        BadInput: `model` is a host and a port without `http://` or `https://`.
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
    """Check the checkpoint of an encoder, or the vectors of a server of OpenAI's embeddings API.

    The server may be any program. It is asked for the vectors of sixteen short texts, which are compared with the
    vectors of the model on this machine. If they differ, the check `vectors` names the likely cause, such as another
    pooling, a missing prompt or truncated texts. The check `batch` says whether the vectors of a request come in
    another order than its texts.

    Args:
        model: a name, a folder, or the address of a server, `http://host:port`.
        against: only with an address: the name or folder of the model that the server should have; None takes the name
            that the server reports.
        index: only with an address: folder of an index. The server's vectors are compared with vectors stored in the
            index, so that the index's model need not be on this machine.
        api_key_file: only with an address: a file whose first line is the API key to send.

    Returns:
        The result of each check. For a checkpoint that cannot be loaded this is a single failed check that says why.

    Raises:
        BadInput: there is no model of that name, a checkpoint is not of an encoder, or the server does not answer.
    """
    if not is_address(model):
        for flag, value in (("--against", against), ("--index", index), ("--api-key-file", api_key_file)):
            if value is not None:
                raise BadInput("this is for a server", where=flag, mend="leave it out, or give a server's address")
        from wordworth.inference.check_model_files import check_checkpoint  # imports torch

        return check_checkpoint(model)
    if against is not None and index is not None:
        raise BadInput("a server is compared with a model or with an index", mend="give --against or --index")
    from wordworth.serving.api_keys import read_keys
    from wordworth.serving.server_checks import check_server

    key = "" if api_key_file is None else read_keys(Path(api_key_file))[0].decode("latin-1")
    return check_server(str(model), against, key, None if index is None else as_path(index, "--index"))
