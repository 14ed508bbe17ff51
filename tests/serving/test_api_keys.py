"""API keys: where they are asked for, and the file that holds them."""

import pytest
from tests.serving.served import ask, served, tiny_encoder

from wordworth.errors import BadInput
from wordworth.serving.api_keys import read_keys, require_key
from wordworth.serving.request_errors import Refusal


@pytest.fixture(scope="module")
def encoder(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("keys") / "tiny")


@pytest.mark.parametrize(
    "header", ["", "Bearer ", "Bearer secre", "Bearer secrets", "Basic secret", "Bearer s\u00e9cret"]
)
def test_what_is_no_key_is_refused(header):
    with pytest.raises(Refusal, match="Bearer KEY"):
        require_key(header, [b"other", b"secret"])
    require_key(header, [])


def test_any_of_the_keys_will_do():
    for key in ("other", "secret"):
        require_key(f"Bearer {key}", [b"other", b"secret"])


def test_a_key_is_found_whatever_its_letters_and_the_case_of_bearer(encoder, tmp_path):
    (tmp_path / "keys").write_bytes("\ufeffschl\u00fcssel\r\nother".encode())
    with served(encoder, api_key_file=tmp_path / "keys") as app:
        for header in ("Bearer schl\u00fcssel", "bearer schl\u00fcssel", "BEARER  other"):
            assert ask(app, "/v1/models", headers={"authorization": header.encode()}).status_code == 200


def test_a_key_is_asked_for_but_where_probes_and_scrapers_come(encoder, tmp_path):
    (tmp_path / "keys").write_text("first\n\n  zweiter\xfc  \n")
    with served(encoder, api_key_file=tmp_path / "keys") as app:

        def status(path, body=None, **headers):
            return ask(app, path, body, headers).status_code

        assert status("/v1/embeddings", {"input": "a"}) == 401
        assert status("/embed", {"inputs": "a"}, authorization="Bearer firs") == 401
        assert status("/embed", {"inputs": "a"}, authorization="Bearer first") == 200
        assert status("/v1/models", authorization="Bearer first") == 200
        assert (status("/info"), status("/health"), status("/metrics")) == (401, 200, 200)


def test_keys_are_lines(tmp_path):
    (tmp_path / "keys").write_bytes(b"one\r\n\n two \n")
    assert read_keys(tmp_path / "keys") == [b"one", b"two"]


def test_a_file_without_keys_is_refused(tmp_path):
    (tmp_path / "empty").write_text("\n \n")
    for name, what in (("empty", "holds no key"), ("none", "cannot read"), (".", "cannot read")):
        with pytest.raises(BadInput, match=what):
            read_keys(tmp_path / name)
