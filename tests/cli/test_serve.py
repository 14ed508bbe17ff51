"""`wordworth serve`: what is wrong is said before torch is imported; the server itself is in tests/serving."""

import subprocess
import sys

import pytest
from tests.cli.terminal import wordworth

from wordworth.cli import serve


def test_a_model_is_needed():
    outcome = wordworth("serve")
    assert outcome.code == 2
    assert "Missing argument 'MODEL'" in outcome.err


def test_help_has_a_request_that_works():
    outcome = wordworth("serve", "--help")
    assert outcome.code == 0
    assert "curl 127.0.0.1:8080/v1/embeddings" in outcome.out


def test_a_missing_extra_is_said_before_the_model_is_sought(monkeypatch):
    monkeypatch.setitem(sys.modules, "msgspec", None)
    with pytest.raises(ValueError, match="msgspec"):
        serve.command.callback(model="no such model")


def test_the_command_itself_loads_neither_the_server_nor_torch():
    loaded = "{'torch', 'uvicorn', 'starlette', 'msgspec'} & set(sys.modules)"
    code = f"import sys, wordworth.cli.serve; print({loaded})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
