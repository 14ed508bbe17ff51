import json

import numpy as np
import pytest
import torch
from tests.measures.geometry import pairwise
from tests.models.tiny import write_tiny
from tests.studies.context import made_up

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.context import context, layer_measures
from wordworth.studies.context import study as whole
from wordworth.studies.context.layer_measures import LayerData
from wordworth.studies.context.sampling import list_occurrences, plan
from wordworth.studies.context.sentences import read_sentences
from wordworth.studies.context.settings import ContextSettings
from wordworth.studies.context.stream_layers import collect

SETTINGS = ContextSettings(pool=300, sample=30, sentences=100, draws=200)


def look(texts=None, times=None, settings=SETTINGS, model=made_up.MadeUp()):  # noqa: B008 - frozen
    texts = made_up.sentences() if texts is None else texts
    of = list_occurrences(model.forms(texts), settings)
    planned = plan(of, np.ones(len(texts), np.int64) if times is None else times, settings)
    return LayerData(model.name, of, planned, collect(model, texts, of, planned, SILENT), settings)


@pytest.fixture(scope="module")
def seen():
    return look()


@pytest.fixture(scope="module")
def found(seen):
    return layer_measures.compute_measures(seen)


def occurrences(word, layer, texts):
    """A word's vectors, found by hand."""
    model, rows = made_up.MadeUp(), []
    for text in texts:
        vectors = model.vectors([text])[layer]
        rows += [vectors[place] for place, one in enumerate(text.split()) if one == word]
    return np.array(rows, float)


def test_self_similarity_is_that_of_the_occurrences_found_by_hand(seen):
    texts = made_up.sentences()
    rarest = np.argsort(seen.plan.members.counts)[:3]
    for place in rarest:
        word = seen.stream.forms[seen.plan.words[place]]
        for layer in range(3):
            mine = occurrences(word, layer, texts)
            assert len(mine) == seen.plan.members.counts[place]
            assert seen.collected.words[place, layer] == pytest.approx(pairwise.mean_cosine(mine), abs=1e-6)
    assert seen.plan.members.counts.sum() == seen.collected.lengths.counts()[0].sum() - _others(seen)


def _others(seen):
    """Occurrences of words that stand in too few sentences."""
    return int((~np.isin(seen.stream.form, seen.plan.words)).sum())


def test_punctuation_and_words_without_a_vector_do_not_count(seen):
    assert "," not in seen.stream.forms
    assert "w7" not in seen.stream.forms


def test_only_words_in_enough_different_sentences_are_studied(seen):
    texts = made_up.sentences()
    for form in seen.plan.words:
        word = seen.stream.forms[form]
        assert sum(word in text.split() for text in texts) >= 5


def test_where_context_does_nothing_a_word_is_wholly_like_itself(found):
    assert found["self_similarity"].value[0] == pytest.approx(1)
    assert found["explained_literal"].value[0] == pytest.approx(1)
    assert np.isnan(found["explained_centred"].value[0])


def test_permuted_word_labels_are_at_the_baseline_in_every_layer(found):
    assert np.abs(found["self_similarity_adjusted"].null).max() < 0.03
    assert found["self_similarity_adjusted"].value[1] > 0.15


def test_vectors_that_are_noise_are_at_every_null(found):
    for name in ("self_similarity_adjusted", "self_similarity_centred", "between_words", "intra_sentence"):
        assert found[name].value[2] == pytest.approx(found[name].null[2], abs=0.04), name
    for name in ("explained_literal", "explained_centred", "explained_published"):
        assert found[name].value[2] == pytest.approx(found[name].null[2], abs=0.05), name
    assert found["iso_score"].value[2] == pytest.approx(found["iso_score"].null[2], abs=0.05)


def test_the_published_sentence_measure_is_above_zero_where_context_does_nothing(found):
    assert found["intra_sentence"].value[2] > 0.2
    assert abs(found["between_words"].value[2]) < 0.03


def test_a_sentence_that_colours_its_words_is_seen(found):
    assert found["between_words"].value[1] > found["between_words"].null[1] + 0.1


def test_every_value_has_an_interval_around_it(found):
    for row in layer_measures.rows("m", found):
        if np.isfinite(row["value"]):
            assert row["low"] - 1e-9 <= row["value"] <= row["high"] + 1e-9, row


@pytest.fixture
def two_threads():
    had = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(had)


@pytest.mark.usefixtures("two_threads")
def test_blocks_that_are_read_side_by_side_give_what_they_give_in_turn(seen):
    again = look().collected
    for name in ("words", "null", "repeated", "kept", "pool"):
        assert np.array_equal(getattr(again, name), getattr(seen.collected, name), equal_nan=True), name
    assert np.array_equal(again.sentences.to_mean, seen.collected.sentences.to_mean)


def test_the_whole_block_of_sentences_without_a_word_that_counts_is_passed_over():
    texts = made_up.sentences()
    found = look((*texts[:64], *(", " * n + "w7" for n in range(1, 33)), *texts[64:]))
    plain = look(texts)
    assert np.allclose(np.sort(found.collected.words, axis=0), np.sort(plain.collected.words, axis=0), atol=1e-6)


def test_repetitions_raise_self_similarity_and_are_told_apart():
    # of 2n occurrences in pairs of copies, a word meets its copy once and the 2(n - 1) others in pairs
    texts = made_up.sentences()
    twice = look(texts, np.full(len(texts), 2))
    once = twice.collected.words[twice.plan.sampled]
    n = twice.plan.members.counts[twice.plan.sampled][:, None]
    assert twice.collected.repeated == pytest.approx((2 * (n - 1) * once + 1) / (2 * n - 1))


def test_a_giant_first_vector_is_warned_of_and_can_be_left_out():
    from wordworth.studies.context.sentences import Sentences
    from wordworth.studies.context.verdict import warnings

    texts = made_up.sentences()
    read = Sentences(texts, np.ones(len(texts), np.int64), "x.txt", "0", 300)

    def names(settings):
        one = look(texts, settings=settings, model=made_up.MadeUp(giant=9.0))
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


def test_sentences_are_read_once_and_their_repetitions_counted(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("\n".join([f"sentence {n}" for n in range(12)] * 3) + "\n\n  \n")
    read = read_sentences(path, "text", None, 0)
    assert len(read.texts) == 12
    assert read.total == 36
    some = read_sentences(path, "text", 10, 0)
    assert len(some.texts) == 10
    assert (some.total, some.rows, read.rows) == (30, 36, 36)
    assert whole.describe_sentences(some)["sources"][0]["rows"] == 36  # of the file, however few were drawn
    assert set(some.texts) < set(read.texts)


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ({"units": "word"}, "no units 'word'; did you mean 'words'"),
        ({"pooling": "max"}, "no pooling"),
        ({"dtype": "float16"}, "no dtype .float16.; did you mean .bfloat16."),
        ({"contexts": 1}, "--contexts 1 is out of range"),
        ({"models": ()}, "no model was given"),
        ({"models": ("a", "a")}, "given twice"),
    ],
)
def test_a_choice_out_of_range_is_told(choice, said):
    with pytest.raises(BadInput, match=said):
        ContextSettings(**choice)


def test_too_little_text_is_told(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_text("one sentence\nanother\n")
    with pytest.raises(BadInput, match="2 different sentences are too few"):
        read_sentences(path, "text", None, 0)
    of = list_occurrences(made_up.MadeUp().forms(("a b", "c d")), SETTINGS)
    with pytest.raises(BadInput, match="0 words occur in 5 or more"):
        plan(of, np.ones(2, np.int64), SETTINGS)


def test_the_shared_sentences_need_their_folder(monkeypatch):
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    with pytest.raises(BadInput, match=r"set WORDWORTH_DATA.*docs/data\.md"):
        read_sentences("sts", "text", None, 0)


def test_the_shared_sentences_are_both_sides_of_each_pair_packed_or_not(monkeypatch, tmp_path):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    (tmp_path / "sts").mkdir()
    rows = ["score\tsentence1\tsentence2", *(f'1\tleft {n}\tright "{n}' for n in range(6))]
    (tmp_path / "sts" / "sts_2012_2016.tsv").write_text("\n".join(rows))
    assert set(read_sentences("sts", "text", None, 0).texts) >= {"left 0", 'right "5'}


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
