"""What an earlier version wrote, unpacked where a test may work with it."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from tests.compat import outputs

V0 = Path(__file__).resolve().parent / "v0"


@pytest.fixture(scope="session")
def expected():
    """What the earlier version itself read out of what it wrote."""
    return json.loads((V0 / "expected.json").read_text(encoding="utf-8"))


@pytest.fixture
def opened(tmp_path, monkeypatch) -> Callable[..., None]:
    """Unpack archives into the folder that the test works in, beside the inputs; threads stay as they were."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")
    threads = torch.get_num_threads()

    def unpack(*names: str) -> None:
        for name in ("inputs", *names):
            with tarfile.open(V0 / f"{name}.tar.xz") as archive:
                archive.extractall(filter="data")

    yield unpack
    torch.set_num_threads(threads)


@pytest.fixture
def same_weights(expected):
    """A function that compares the weights of two model folders, to the bit where that is promised."""

    def check(made: str, whole: str) -> None:
        for name in ("model.safetensors", "head.safetensors"):
            if not Path(whole, name).exists():
                continue
            if outputs.machine() == expected["machine"]:  # elsewhere the first steps were another processor's
                assert Path(made, name).read_bytes() == Path(whole, name).read_bytes()
            else:
                assert Path(made, name).stat().st_size == Path(whole, name).stat().st_size

    return check
