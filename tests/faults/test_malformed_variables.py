"""Variables of the environment that the hub's library cannot read: one line, in whatever command needs the hub."""

import os
import subprocess
import sys

import pytest

from wordworth.tasks.formats import data_folders


@pytest.mark.parametrize("words", [["models", "--download", "foo/bar"], ["doctor", "foo/bar"]])
def test_a_malformed_endpoint_of_the_hub_is_refused_in_one_line(words):
    line = [sys.executable, "-m", "wordworth", *words]
    environment = os.environ | {"HF_ENDPOINT": "http://[::1"}
    done = subprocess.run(line, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    (said,) = done.stderr.splitlines()
    assert said.startswith("wordworth: environment: huggingface_hub cannot be loaded: Invalid IPv6 URL")
    assert "HF_ENDPOINT" in said


def test_a_named_task_that_the_hub_may_have_says_the_same(monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://[::1")
    code = "from wordworth.tasks.formats.data_folders import hub_folder; hub_folder('nyu-mll/glue')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "BadInput: environment: huggingface_hub cannot be loaded" in done.stderr
    monkeypatch.delenv("HF_ENDPOINT")
    assert data_folders.hub_folder("no/such-set") is None
