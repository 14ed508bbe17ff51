"""The word explorer of the study of context."""

import csv
import json
from dataclasses import replace

import numpy as np
import pytest
from tests.studies.contextuality import made_up

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.contextuality import study as whole
from wordworth.studies.contextuality import word_explorer_data
from wordworth.studies.contextuality.read_sentences import Sentences, read_sentences
from wordworth.studies.contextuality.settings import ContextSettings
from wordworth.studies.contextuality.study import read_layers
from wordworth.studies.contextuality.word_explorer_data import is_informative

SETTINGS = ContextSettings(models=("m",), pool=300, sample=12, sentences=100, draws=100)
READ = Sentences(made_up.sentences(), np.ones(300, np.int64), "x.txt", "0", 300)


class Static(made_up.MadeUp):
    """A vector a word."""

    def vectors(self, texts):
        return super().vectors(texts)[:1]


def study(data, settings=SETTINGS, **readers):
    known = {"m": made_up.MadeUp(), "s": Static(name="static", layers=1), **readers}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole, "reader", lambda name, _: known[name])
        return whole.study(data, settings, SILENT)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "texts.txt"
    path.write_text("\n".join(made_up.sentences()))
    return path


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    """Of w0 and w1 the sense is long or short, as their sentence is; one tag stands before a mark."""
    path = tmp_path_factory.mktemp("tagged") / "tagged.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["word", "sense", "sentence"])
        for text in made_up.sentences():
            for word in ("w0", "w1"):
                if word in text.split():
                    rows.writerow([word, "long" if len(text.split()) > 8 else "short", text])
    return path


@pytest.fixture(scope="module")
def record(plain):
    return study(plain)


def words(record):
    return {row["word"]: row for row in record.tables["explorer"].rows()}


def of(record, table, word):
    entry = words(record)[word]["entry"]
    return [row for row in record.tables[table].rows() if row["entry"] == entry]


def test_the_words_drawn_are_shown_without_stop_words_those_of_most_contexts_first(record):
    shown = list(words(record))
    assert 5 < len(shown) <= 12
    assert not {"the", "of", "and", "to", "in", "is"} & set(shown)
    contexts = [row["contexts"] for row in record.tables["explorer"].rows()]
    assert contexts == sorted(contexts, reverse=True)


@pytest.mark.parametrize("word", ["don't", "didn’t", "it's", "i'm", "can't", "the", "t", "..."])
def test_stop_words_run_together_are_stop_words(word):
    assert not is_informative(word)


@pytest.mark.parametrize("word", ["world's", "o'brien", "bank", "川"])
def test_a_names_possessive_is_none(word):
    assert is_informative(word)


def test_the_layer_is_the_verdicts(record):
    layer = record.finding("verdict").numbers["models"]["made-up"]["layer"]
    assert {row["layer"] for row in record.tables["explorer"].rows()} == {layer}


def test_a_words_curve_is_that_of_all_its_occurrences_inside_its_interval(record):
    curves = {row["word"]: row["self_similarity"] for row in record.tables["words"].rows()}
    for word, row in words(record).items():
        assert row["self_similarity"] == curves[word]
        for low, value, high in zip(row["low"], row["self_similarity"], row["high"], strict=True):
            assert low <= value <= high
        assert row["low"][0] == pytest.approx(1)  # at the input nothing varies
        assert row["high"][2] - row["low"][2] > 0.01


def test_an_occurrence_is_shown_in_its_own_sentence(record):
    texts = [" ".join(text.split()) for text in made_up.sentences()]
    for row in record.tables["occurrences"].rows():
        line = " ".join(filter(None, (row["before"].strip("…"), row["form"], row["after"].strip("…"))))
        assert any(line in text for text in texts), line
    assert all(row["form"] == word for word in words(record) for row in of(record, "occurrences", word))


def test_of_text_that_nobody_tagged_no_sense_is_named_and_the_contexts_are_the_two_least_alike(record):
    assert {tuple(row["senses"]) for row in words(record).values()} == {()}
    assert {row["sense"] for row in record.tables["occurrences"].rows()} == {None}
    for word in words(record):
        first, second = of(record, "neighbours", word)
        assert (first["before"], first["after"]) != (second["before"], second["after"])
        assert word not in first["words"]
        assert not {"the", "of", "and", ","} & {*first["words"], *second["words"]}


def test_a_word_that_was_not_drawn_is_shown_when_it_is_asked_for(plain, record):
    asked = next(row["word"] for row in record.tables["words"].rows()
                 if not row["stop_word"] and row["word"] not in words(record))  # fmt: skip
    shown = study(plain, replace(SETTINGS, word=(asked.upper(),)))
    assert next(iter(words(shown))) == asked
    assert 3 <= len(of(shown, "occurrences", asked)) <= 16
    kept = [json.loads(one.to_json())["tables"]["layers"] for one in (shown, record)]
    assert kept[0] == kept[1]


def test_the_explorer_keeps_no_vector_that_the_measures_do_not_need_but_for_words_asked_for():
    look, _ = read_layers(made_up.MadeUp(), READ, SETTINGS, SILENT, explored=True)
    assert look.plan.plotted
    assert look.collected.plotted_vectors.shape[1] == 0
    absent = next(place for place in range(len(look.plan.words)) if place not in look.plan.sampled)
    word = look.stream.forms[look.plan.words[absent]]
    more, _ = read_layers(made_up.MadeUp(), READ, replace(SETTINGS, word=(word,)), SILENT, explored=True)
    assert more.collected.plotted_vectors.shape[1] == len(more.plan.plotted[absent]) <= SETTINGS.occurrences
    flat = [(text, unit) for text in READ.texts for unit in range(len(text.split()))]
    rows = [flat[place] for place in np.flatnonzero(more.stream.is_counted)[more.plan.explorer_only]]
    for row, (text, unit) in enumerate(rows):
        assert text.split()[unit] == word
        assert more.collected.plotted_vectors[:, row] == pytest.approx(made_up.MadeUp().vectors([text])[:, unit])


def test_a_word_that_stands_nowhere_is_refused_before_anything_is_read(plain):
    with pytest.raises(BadInput, match="`word` 'w00' does not occur in 5 different sentences; did you mean"):
        study(plain, replace(SETTINGS, word=("w00",)))


def test_the_explorer_is_of_the_first_model_that_has_layers(plain):
    both = study(plain, replace(SETTINGS, models=("s", "m")))
    assert {row["model"] for row in both.tables["explorer"].rows()} == {"made-up"}
    alone = study(plain, replace(SETTINGS, models=("s",)))
    assert alone.tables["explorer"].rows() == []


def test_a_word_is_not_passed_over_in_silence_where_no_model_has_layers(plain):
    with pytest.raises(BadInput, match="`word`: no model has layers"):
        study(plain, replace(SETTINGS, models=("s",), word=("w0",)))


def test_no_words_no_explorer(plain):
    none = study(plain, replace(SETTINGS, explorer=0))
    assert [none.tables[name].rows() for name in ("explorer", "occurrences", "neighbours")] == [[], [], []]
    assert not [finding for finding in none.findings if finding.name == "method.explorer"]


def test_a_tagged_file_shows_its_words_first_with_their_senses(tagged):
    record = study(tagged)
    assert set(list(words(record))[:2]) == {"w0", "w1"}
    for word in ("w0", "w1"):
        row = words(record)[word]
        assert set(row["senses"]) == {"long", "short"}
        assert row["counts"] == sorted(row["counts"], reverse=True)
        pictured = of(record, "occurrences", word)
        known = [row["sense"] for row in pictured if row["sense"] is not None]
        assert len(known) == sum(row["counts"])
        assert [row["sense"] for row in of(record, "neighbours", word)] == [0, 1]
    assert record.data["name"] == "tagged.csv"
    assert not [finding for finding in record.findings if finding.name == "warning.missed_tags"]


def test_of_a_tagged_word_the_occurrences_whose_sense_is_known_are_pictured_first(tmp_path):
    path = tmp_path / "tagged.csv"
    rows = ["word,sense,sentence"]
    for number, text in enumerate(made_up.sentences()):
        known = "w0" in text.split() and not number % 4
        rows.append(f'{"w0" if known else text.split()[0]},{len(text.split()) % 2 if known else "any"},"{text}"')
    path.write_text("\n".join(rows) + "\n")
    record = study(path)
    assert sum(words(record)["w0"]["counts"]) == len(of(record, "occurrences", "w0")) == 16


def test_each_pictured_occurrence_has_its_own_vectors_wherever_they_were_kept(tagged):
    read = read_sentences(tagged, "text", None, 0)
    look, _ = read_layers(made_up.MadeUp(), read, SETTINGS, SILENT, explored=True)
    flat = [(text, unit) for text in read.texts for unit in range(len(text.split()))]
    places = [flat[place] for place in np.flatnonzero(look.stream.is_counted)]
    kept = set(look.plan.sets[1].tolist())
    mixed = 0
    for occurrences in look.plan.plotted.values():
        expected = [made_up.MadeUp().vectors([text])[:, unit] for text, unit in (places[at] for at in occurrences)]
        assert word_explorer_data.plotted_vectors(look, occurrences) == pytest.approx(np.stack(expected, axis=1))
        mixed += 0 < len(kept & set(occurrences.tolist())) < len(occurrences)
    assert look.collected.plotted_vectors.shape[1] > 0
    assert mixed


def test_tags_inside_a_word_of_the_model_are_counted_and_told(tagged):
    class Shifted(made_up.MadeUp):
        def spans(self, texts):
            return [[(start + 1, end) for start, end in one] for one in super().spans(texts)]

    record = study(tagged, m=Shifted())
    numbers = record.finding("warning.missed_tags").numbers
    assert numbers["missed"] == numbers["tags"] > 0


def test_tags_are_found_behind_the_marks_around_a_word(tmp_path):
    path = tmp_path / "tagged.csv"
    rows = [f'bank,{("money", "river")[n % 2]},"the number {n} ""(bank),"" yes"' for n in range(12)]
    path.write_text("word,sense,sentence\n" + "\n".join(rows) + "\n")
    read = read_sentences(path, "text", None, 0)
    assert len(read.texts) == 12
    for number, text in enumerate(read.texts):
        sense = read.tags.at(number, text.index("bank"))
        assert read.tags.labels[sense] == (("money", "river")[number % 2], "bank")
    assert read.tags.at(0, 0) == -1


def test_a_file_with_the_column_of_texts_is_not_taken_for_tags(tmp_path):
    path = tmp_path / "both.csv"
    rows = [f"bank,money,the bank {n}" for n in range(12)]
    path.write_text("word,sense,sentence\n" + "\n".join(rows) + "\n")
    assert read_sentences(path, "sentence", None, 0).tags is None


def test_pairs_of_sentences_are_no_tagged_words(monkeypatch, tmp_path):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    (tmp_path / "senses" / "wic").mkdir(parents=True)
    rows = [
        f"{split}\tbank\tN\t0-0\tbank {n}\tbank {n}\t{'TF'[n % 2]}" for split in ("train", "test") for n in range(12)
    ]
    head = "split\tword\tpos\tindices\tsentence1\tsentence2\tlabel"
    (tmp_path / "senses" / "wic" / "wic.tsv").write_text("\n".join([head, *rows]) + "\n")
    with pytest.raises(BadInput, match="pairs of sentences, not tagged words"):
        read_sentences("wic", "text", None, 0)


@pytest.mark.parametrize("name", ["sts", "semcor"])
def test_a_folder_that_is_called_like_a_set_does_not_stand_before_it(monkeypatch, tmp_path, name):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    (tmp_path / name).mkdir()
    with pytest.raises(BadInput, match="not on this machine"):
        read_sentences(name, "text", None, 0)
