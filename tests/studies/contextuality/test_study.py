"""The study from sentences to record and page."""

import json

import numpy as np
import pytest
from tests.models.tiny import write_tiny
from tests.studies.contextuality import made_up
from tests.studies.contextuality.made_up import SETTINGS, layer_data

from wordworth.errors import BadInput
from wordworth.studies.contextuality import context, layer_measures
from wordworth.studies.contextuality import study as whole
from wordworth.studies.contextuality.settings import ContextSettings


def test_a_giant_first_vector_is_warned_of_and_can_be_left_out():
    from wordworth.studies.contextuality.findings import warnings
    from wordworth.studies.contextuality.read_sentences import Sentences

    texts = made_up.sentences()
    read = Sentences(texts, np.ones(len(texts), np.int64), "x.txt", "0", 300)

    def names(settings):
        one = layer_data(texts, settings=settings, model=made_up.MadeUp(giant=9.0))
        return {finding.name for finding in warnings([(one, layer_measures.compute_measures(one))], read)}

    assert "warning.giant_first.made-up" in names(SETTINGS)
    assert "warning.giant_first.made-up" not in names(ContextSettings(pool=300, sample=30, draws=200, first=False))


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(tmp_path, monkeypatch):
    monkeypatch.setattr(whole, "reader", lambda name, settings: made_up.MadeUp())  # noqa: ARG005 - a reader's signature
    data = tmp_path / "texts.txt"
    data.write_text("\n".join([*made_up.sentences(), *made_up.sentences(40)]))
    plain = [_plain(context(data, models=("m",), draws=100, pool=200, sample=20, seed=seed)) for seed in (1, 1, 2)]
    assert plain[0] == plain[1]
    assert plain[0] != plain[2]


def _plain(record):
    whole_record = json.loads(record.to_json())
    return json.dumps({name: whole_record[name] for name in ("settings", "data", "tables", "findings")})


def test_a_record_and_a_page_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr(whole, "reader", lambda name, settings: made_up.MadeUp(name=name))  # noqa: ARG005 - called by name
    data = tmp_path / "texts.txt"
    data.write_text("\n".join([*made_up.sentences(), *made_up.sentences(40)]))
    record = context(data, out=tmp_path / "run", models=("one", "<b>two"), draws=100, pool=200, sample=20)
    assert record.kind == "context"
    assert (tmp_path / "run" / "record.json").read_text() == record.to_json()
    page = (tmp_path / "run" / "report.html").read_text()
    assert "BERT 2019" in page
    assert "&lt;b&gt;two" in page
    assert "<b>two" not in page
    assert record.finding("warning.repeated").numbers == {"repeated": 40, "given": 340}
    stop = record.table("stop_words")
    assert set(stop["stop_words"]) == {6}


def test_two_folders_of_one_name_are_refused_before_anything_is_read(tmp_path):
    data = tmp_path / "texts.txt"
    data.write_text("\n".join(made_up.sentences()))
    folders = [str(write_tiny(tmp_path / parent / "same")) for parent in ("one", "two")]
    with pytest.raises(BadInput, match="two models are called 'same'"):
        context(data, models=tuple(folders), draws=100)


def test_sentences_read_in_windows_and_the_choice_of_the_last_layer_are_told(tmp_path):
    words = [f"{a}{b}" for a in "abcdef" for b in "ab"]
    lines = [
        " ".join([words[(n * step) % 12] for step in (1, 5, 7, 11, 2)] + ["abcdefghij"[n % 10]]) for n in range(60)
    ]
    lines[3] += " a b c d e f" * 5
    (tmp_path / "texts.txt").write_text("\n".join(lines))
    gpt = str(write_tiny(tmp_path / "gpt", "gpt2"))
    after, before = (
        context(tmp_path / "texts.txt", models=(gpt,), draws=100, last_layer=which) for which in ("after", "before")
    )
    assert after.finding("warning.long_texts.gpt").numbers["windowed"] == 1
    assert "The last layer of gpt is taken after the final norm." in after.finding("method.1").text
    assert "The last layer of gpt is taken before the final norm." in before.finding("method.1").text
    norms = [one.table("layers").query("measure == 'length'")["value"].tolist() for one in (after, before)]
    assert norms[0][:-1] == norms[1][:-1]
    assert norms[0][-1] != pytest.approx(norms[1][-1])
