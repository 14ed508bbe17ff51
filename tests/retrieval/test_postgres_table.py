"""Without psycopg or a server there is one clear error; what PostgreSQL answers is tested beside it in `parity`."""

import pytest

import wordworth as ww
from wordworth.errors import BadInput


def test_without_psycopg_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("wordworth.errors.find_spec", lambda _: None)
    with pytest.raises(BadInput, match="this needs psycopg, which is not installed"):
        ww.search("word1", "postgresql://localhost/none")


def test_a_server_that_is_not_there_is_one_error_without_the_password():
    pytest.importorskip("psycopg")
    with pytest.raises(BadInput, match="`index`: PostgreSQL refuses: ") as error:
        ww.search("word1", "postgresql://me:secret@127.0.0.1:1/none")
    assert "secret" not in str(error.value)
