"""The search from a sentence and a corpus to a record and a page, and what it refuses."""

import pytest
from tests.models.tiny_elmo import write_elmo

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.neighbours import study
from wordworth.studies.neighbours.corpus_word_vectors import word_vectors

TEXTS = [f"The {noun} by the {place} was old in {year}." for year in range(1900, 1910) for noun, place in (
    ("bank", "river"), ("house", "road"))]  # fmt: skip
QUERY = "The [bank] by the river was new."


def test_the_nearest_words_and_what_they_share(tmp_path):
    record = ww.study_neighbours(QUERY, TEXTS, model="mini", nearest=5, out=tmp_path / "run")
    rows = record.tables["contexts"].rows()
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5]
    assert rows[0]["form"] == "bank"
    assert record.data["occurrences"] == 10
    assert "nearest words are “bank”" in record.verdict
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "word after: by" in page


def test_the_control_is_the_same_search_by_other_weights(monkeypatch):
    monkeypatch.setattr(study, "random_twin", lambda model, _: model)
    record = ww.study_neighbours(QUERY, TEXTS, model="mini", nearest=5)
    assert record.finding("verdict").numbers["random_overlap"] == 5
    assert all(row["random_share"] == row["share"] for row in record.tables["common"].rows())


def test_the_text_of_the_query_is_left_out():
    record = ww.study_neighbours("The [bank] by the river was old in 1900.", TEXTS, model="mini", nearest=30)
    assert all("1900" not in row["after"] or row["form"] != "bank" for row in record.tables["contexts"].rows())


def test_the_same_seed_gives_the_same_bytes():
    one, two = (
        ww.study_neighbours(QUERY, TEXTS, model="mini", layer=2, head=1).to_json().partition('"timings"')[0]
        for _ in "ab"
    )
    assert one == two


@pytest.mark.slow
def test_a_second_query_reads_the_index_and_finds_what_it_would_without(tmp_path, monkeypatch):
    folder = tmp_path / "index"
    ww.study_neighbours("The [house] is red.", TEXTS, model="mini", layer=2, head=1, index=folder)
    alone = ww.study_neighbours(QUERY, TEXTS, model="mini", layer=2, head=1)
    read = []
    monkeypatch.setattr(study, "word_vectors", lambda *given: read.append(given[1]) or word_vectors(*given))
    beside = ww.study_neighbours(QUERY, TEXTS, model="mini", layer=2, head=1, index=folder)
    assert [len(texts) for texts in read] == [1, 1]  # the query by the model, and by random weights
    assert beside.tables["contexts"].rows() == alone.tables["contexts"].rows()
    assert beside.tables["common"].rows() == alone.tables["common"].rows()
    with pytest.raises(BadInput, match="another corpus"):
        ww.study_neighbours(QUERY, TEXTS[1:], model="mini", layer=2, head=1, index=folder)
    with pytest.raises(BadInput, match="another layer"):
        ww.study_neighbours(QUERY, TEXTS, model="mini", layer=1, head=1, index=folder)


def test_of_a_head_what_the_nearest_words_attend_to_is_in_record_and_page():
    record = ww.study_neighbours(QUERY, TEXTS, model="mini", layer=1, head=1, nearest=5)
    kinds = {row["kind"] for row in record.tables["common"].rows()}
    assert "attends to" in kinds
    assert all(row["attends_to"] for row in record.tables["contexts"].rows())
    assert "attends to" in ww.report(record)
    assert {row["attends_to"] for row in ww.study_neighbours(QUERY, TEXTS, model="mini").tables["contexts"].rows()} == {
        None
    }


def test_a_model_without_attention_is_asked_of_its_layers(tmp_path):
    elmo = str(write_elmo(tmp_path / "elmo"))
    record = ww.study_neighbours(QUERY, TEXTS, model=elmo, nearest=5)
    assert len(record.tables["contexts"].rows()) == 5
    with pytest.raises(BadInput, match="no attention heads; leave `head` out"):
        ww.study_neighbours(QUERY, TEXTS, model=elmo, layer=1, head=1)


def test_hostile_strings_stay_text():
    script = "</script><script>alert(1)</script>"
    record = ww.study_neighbours(f"a [bank] {script}", [*TEXTS, f"the bank {script}"], model="mini")
    assert "<script>alert" not in ww.report(record)


@pytest.mark.parametrize(
    ("sentence", "data", "choices", "what"),
    [
        ("no brackets", TEXTS, {}, "0 words in square brackets"),
        (QUERY, ["one"], {}, "fewer than two texts"),
        (QUERY, TEXTS, {"model": "glove"}, "static table.*same vector in every context.*study words"),
        (QUERY, TEXTS, {"layer": 9}, "no layer 9"),
        (QUERY, TEXTS, {"head": 9}, "no head 9"),
        ("The [bank].", ["The bank.", "The bank."], {}, "no other text"),
    ],
)
def test_what_cannot_be_searched_is_refused(tmp_path, sentence, data, choices, what):
    with pytest.raises(BadInput, match=what):
        ww.study_neighbours(sentence, data, out=tmp_path / "run", **{"model": "mini", **choices})
    assert not (tmp_path / "run").exists()
