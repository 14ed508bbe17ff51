import pytest

from wordworth import sources
from wordworth.errors import BadInput
from wordworth.models.known_models import models


def test_every_model_that_is_known_is_listed_once_with_its_licence_and_origin():
    entries = models()
    names = [entry.name for entry in entries]
    assert {"minilm", "glove", "wordllama"} <= set(names)
    assert len(set(names)) == len(names)
    assert all(entry.licence and entry.title and entry.kind for entry in entries)
    assert entries == list(sources.catalogue())


def test_a_list_may_be_changed_without_changing_what_is_known():
    models().clear()
    assert models()


def test_a_model_that_is_named_is_downloaded(monkeypatch):
    requested = []
    monkeypatch.setattr(sources, "download", lambda name: requested.append(name) or "resolved")
    assert models(download="some/model") == "resolved"
    assert requested == ["some/model"]


def test_an_empty_name_is_refused():
    with pytest.raises(BadInput):
        models(download="")
