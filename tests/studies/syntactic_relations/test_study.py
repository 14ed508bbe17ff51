"""The study from a treebank to a record, and what it refuses."""

import os

import numpy as np
import pandas as pd
import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.syntactic_relations import correct_attachment_counts, probe_training
from wordworth.text.treebank import ROOT, read_treebank
from wordworth.training.probes.train_probe import ProbeTraining

NOUNS = ["cat", "dog", "bird", "child", "teacher", "doctor"]
VERBS = ["saw", "liked", "heard", "found", "met"]


@pytest.fixture(scope="module")
def treebank(tmp_path_factory):
    lines = []
    for number in range(60):
        subject, verb, other = NOUNS[number % 6], VERBS[number % 5], NOUNS[(number + number // 6 + 1) % 6]
        words = [("the", 2, "det"), (subject, 3, "nsubj"), (verb, 0, "root"), ("a", 6, "det"), ("small", 6, "amod")]
        words += [(other, 3, "obj"), (".", 3, "punct")]
        for place, (word, head, relation) in enumerate(words, start=1):
            lines.append("\t".join([str(place), word, "_", "_", "_", "_", str(head), relation, "_", "_"]))
        lines.append("")
    path = tmp_path_factory.mktemp("treebank") / "small.conllu"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_head_that_holds_the_tree_is_found_right_in_every_word(treebank, monkeypatch):
    """Maps of noise, but for the second layer's third head, which attends from each word to its syntactic head."""
    heads = {len(each): each.heads for each in read_treebank(treebank).sentences}

    def planted(_model, _tokens, lengths, step):
        rng = np.random.default_rng(0)
        for number in lengths:
            maps = rng.random((6 * 12, number, number), dtype=np.float32)
            for word, head in enumerate(heads[number]):
                maps[12 + 2, word, head] = 2 if head != ROOT else maps[12 + 2, word, head]
            yield maps
            step.advance(1)

    monkeypatch.setattr(correct_attachment_counts, "word_attention", planted)
    record = ww.study_relations(treebank=treebank, words=20, draws=200)
    for row in record.tables["relations"].rows():
        assert (row["layer"], row["head"], row["direction"], row["accuracy"]) == (2, 3, "from dependent", 1)
    best = {(row["layer"], row["head"], row["direction"]): row["accuracy"] for row in record.tables["heads"].rows()}
    assert best.pop((2, 3, "from dependent")) == 1
    assert max(best.values()) < 1


def test_each_relation_has_its_best_head_beside_the_offset_and_random_weights(treebank):
    record = ww.study_relations(treebank=treebank, words=20, draws=200)
    rows = {row["relation"]: row for row in record.tables["relations"].rows()}
    assert set(rows) == {"all", "amod", "det", "nsubj", "obj", "punct"}
    assert rows["nsubj"]["offset"] == 1
    assert rows["nsubj"]["offset_accuracy"] == 1  # the verb always follows
    assert not rows["nsubj"]["ahead"]
    assert rows["obj"]["offset"] == -3
    heads = record.tables["heads"].rows()
    assert len(heads) == 6 * 12 * 2
    assert all(0 <= row["accuracy"] <= 1 for row in heads)
    assert record.data["documents"] == 60


@pytest.mark.parametrize("marks", [(0,), (0, 30)])
def test_a_text_of_one_or_two_documents_is_halved_by_sentences_and_has_intervals_with_width(treebank, tmp_path, marks):
    sentences = treebank.read_text(encoding="utf-8").split("\n\n")
    marked = ["# newdoc\n" + text if number in marks else text for number, text in enumerate(sentences)]
    (tmp_path / "few.conllu").write_text("\n\n".join(marked), encoding="utf-8")
    record = ww.study_relations(treebank=tmp_path / "few.conllu", words=20, draws=200)
    (row,) = [row for row in record.tables["relations"].rows() if row["relation"] == "all"]
    assert row["low"] < row["high"]
    assert record.data["documents"] == len(marks)
    assert "warning.documents" in [finding.name for finding in record.findings]


@pytest.fixture(scope="module")
def with_probes(treebank, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probe_training, "TRAINING", ProbeTraining(passes=5))
        choices = {"treebank": treebank, "model": "mini", "words": 20, "draws": 100, "probes": True}
        made = []
        for number in range(3):  # the second is computed anew, the third is read
            patch.setenv(
                "WORDWORTH_CACHE", str(tmp_path_factory.mktemp(f"cache-{number}")) if number < 2 else made[1][0]
            )
            made.append((os.environ["WORDWORTH_CACHE"], ww.study_relations(**choices)))
        return [record for _, record in made]


def test_probes_stand_beside_their_controls(with_probes):
    record = with_probes[0]
    rows = {row["system"]: row for row in record.tables["probes"].rows()}
    assert rows["right-branching"]["uas"] == pytest.approx(
        3 / 6
    )  # the, the subject and small; six words but the period
    assert rows["best single head"]["uas"] <= 5 / 6  # it has no root
    assert rows["words and distances"]["uas"] > 0.9  # every sentence has the same tree
    assert rows["words alone"]["words"] == 6 * 30
    assert len(record.tables["probe_differences"].rows()) == 8
    assert "Probes find, of all syntactic heads" in record.verdict
    assert record.finding("method.probe_training").text.startswith("Probes are trained on 27 sentences")


@pytest.mark.parametrize("family", ["bert", "distilbert", "roberta", "xlm-roberta", "gpt2"])
def test_every_family_with_attention_is_probed(family, tmp_path, monkeypatch):
    monkeypatch.setattr(probe_training, "TRAINING", ProbeTraining(passes=2))
    (tmp_path / "dev.txt").write_text("the 2-det\na 3-nsubj\nb 0-root\nc 3-obj\n. 3-punct\n\n" * 24)
    pronouns = tmp_path / "pronouns.csv"
    rows = [f"{one} {other} b it .,it,{one}|{other},{one}" for one, other in ("ac", "cd", "de", "ef", "fg", "gh")]
    pronouns.write_text("sentence,pronoun,candidates,answer\n" + "\n".join(rows))
    model = str(write_tiny(tmp_path / family, family))
    choices = {"treebank": tmp_path / "dev.txt", "words": 5, "draws": 100, "probes": True, "coreference": pronouns}
    record = ww.study_relations(model=model, **choices)
    rows = record.tables["probes"].rows()
    assert all(0 <= row["low"] <= row["uas"] <= row["high"] <= 1 for row in rows)
    assert len(record.tables["coreference"].rows()) == 1
    assert [source["path"] for source in record.data["sources"]] == ["dev.txt", "pronouns.csv"]
    assert record.settings["coreference"] == "pronouns.csv"
    assert "Of pronouns the best head" in record.verdict
    table = ww.study_relations(model=model, **{**choices, "probes": False, "coreference": pd.read_csv(pronouns)})
    assert table.tables["coreference"].rows() == record.tables["coreference"].rows()


def test_the_same_seed_gives_the_same_probes(with_probes):
    one, two, again = (record.to_json().partition('"timings"')[0] for record in with_probes)
    assert one == two == again


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(treebank):
    one, two = (
        ww.study_relations(treebank=treebank, words=20, draws=100).to_json().partition('"timings"')[0] for _ in "ab"
    )
    assert one == two


@pytest.mark.slow
def test_what_cannot_be_studied_is_refused(treebank, monkeypatch, tmp_path):
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    for choices, what in (
        ({}, "no treebank is given"),
        ({"treebank": "en_ewt"}, "no treebank 'en_ewt'"),
        ({"treebank": tmp_path / "missing.conllu"}, "missing.conllu"),
        ({"treebank": treebank, "model": "glove"}, "has no attention"),
        ({"treebank": treebank, "words": 5_000}, "no relation has 5000 words"),
        ({"treebank": treebank, "limit": 7, "words": 1, "probes": True}, "7 documents are too few"),
        ({"treebank": treebank, "model": "glove", "probes": True}, "has no attention"),
    ):
        with pytest.raises(BadInput, match=what):
            ww.study_relations(**choices)


def test_sentences_that_do_not_fit_are_left_out_and_said(tmp_path):
    def sentence(words):
        rows = [("w", 0, "root"), *((f"w{n}", 1, "dep") for n in range(words - 1))]
        return ["\t".join([str(n), w, "_", "_", "_", "_", str(h), r, "_", "_"]) for n, (w, h, r) in enumerate(rows, 1)]

    path = tmp_path / "long.conllu"
    path.write_text("\n\n".join("\n".join(sentence(words)) for words in [30] * 6 + [600]) + "\n")
    record = ww.study_relations(treebank=path, words=20, draws=100)
    assert record.data["sentences"] == 6
    assert record.finding("warning.long_sentences").numbers == {"sentences": 1}
