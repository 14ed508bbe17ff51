from pathlib import Path
from re import escape

import numpy as np
import pytest

from wordworth import download_catalogue
from wordworth.errors import BadInput, NotFound
from wordworth.representations import rung_by_name
from wordworth.representations.rung_by_name import rung_of
from wordworth.sklearn import TextClassifier, TextEncoder

TEXTS = ["a good film", "a bad film", "it rained", "sun and rain"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("minilm-finetune", "minilm-finetuned"),
        ("minilm-fine-tuned", "minilm-finetuned"),
        ("tfidf+minilmm", "tfidf+minilm"),
        ("minilmm-static", "minilm-static"),
        ("minilmm", "minilm"),
        ("tfdif", "tfidf"),
        ("golve", "glove"),
        ("majorty", "majority"),
        ("tfidf+", "tfidf"),
    ],
)
def test_a_misspelt_rung_gets_the_nearest_rung(written, meant):
    with pytest.raises(
        NotFound, match=f"^rung: no rung is called '{escape(written)}'; did you mean '{escape(meant)}'"
    ) as caught:
        rung_of(written, "classification")
    assert "of the hub: wordworth models --download " in str(caught.value), "it may be a model of the hub"


def test_a_name_like_none_gets_the_names_of_the_ladder():
    with pytest.raises(NotFound, match="'majority', 'tfidf', 'random', 'glove'") as caught:
        rung_of("xyzzy", "classification")
    assert all(f"'{name}'" in str(caught.value) for name in ("minilm", "tfidf+minilm", "minilm-finetuned"))


@pytest.mark.parametrize("form", ["{}", "tfidf+{}", "{}-finetuned", "{}-static", "{}-int8"])
def test_a_rung_that_a_verdict_names_after_the_folder_of_its_model_is_made_with_that_folder(form, tiny_folder):
    on_the_ladder = form.format(Path(tiny_folder).name)
    with pytest.raises(
        NotFound, match=escape(f"a model in a folder: '{form.format('FOLDER/' + Path(tiny_folder).name)}'")
    ):
        rung_of(on_the_ladder, "classification")
    assert rung_of(form.format(tiny_folder), "classification").name == on_the_ladder


@pytest.mark.parametrize("written", ["./nowhere", "nowhere.txt", "some/where/else", "owner/model"])
def test_a_path_or_a_hub_name_is_said_not_to_be_here(written):
    with pytest.raises(BadInput, match=r"nowhere|no model, folder|no hub model"):
        rung_of(written, "classification")


@pytest.mark.parametrize("form", ["minilm", "tfidf+minilm", "minilm-static", "minilm-finetuned"])
def test_a_model_that_is_not_installed_is_said_to_be_so(form, monkeypatch):
    monkeypatch.setattr(download_catalogue.Entry, "folder", None)

    def no_hub(name):
        raise BadInput(name)

    monkeypatch.setattr("wordworth.sources._hub_folder", no_hub)
    with pytest.raises(BadInput, match="is not installed; pip install"):
        TextClassifier(form).fit(TEXTS, [0, 1, 0, 1])


@pytest.mark.parametrize("form", ["tfidf+{}", "{}-static", "{}-finetuned"])
def test_a_table_where_an_encoder_belongs_is_refused_in_the_words_of_the_estimator(form, table_file):
    name = form.format(table_file)
    for estimator in (TextClassifier(name), TextEncoder(name)):
        with pytest.raises(
            BadInput, match=r"^rung: .*is a table of word vectors, and .* a contextual encoder"
        ) as caught:
            estimator.fit(TEXTS, np.array([0, 1, 0, 1]))
        assert "`models`" not in str(caught.value)
        assert "`vectors`" not in str(caught.value)


def test_data_of_the_catalogue_are_no_rung():
    data = next(entry.name for entry in download_catalogue.ENTRIES if entry.kind == "data")
    with pytest.raises(NotFound, match=f"no rung is called '{data}'"):
        rung_of(data, "classification")
    assert rung_by_name.absolute("glove") == "glove"


@pytest.mark.parametrize("form", ["{}", "tfidf+{}", "{}-static", "{}-finetuned"])
def test_the_path_of_a_rung_over_a_model_in_a_folder_holds_in_any_directory(form, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a" / "mine").mkdir(parents=True)
    assert rung_by_name.absolute(form.format("a/mine")) == form.format(tmp_path / "a" / "mine")
    assert rung_by_name.absolute("tfidf+minilm") == "tfidf+minilm"
