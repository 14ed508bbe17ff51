"""A run on several languages says what it did with each."""

import json

import numpy as np
import pytest

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.seeds import child
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.pretraining import metrics_log
from wordworth.training.pretraining.corpus_statistics import pieces

WORDS = {"de": ["der", "fuchs", "sieht", "den", "hund"], "sw": ["mbwa", "anaona", "paka", "leo"]}
SIZES = {"de": 400, "sw": 40}
OVERRIDE = {"batch_size": 8, "lengths": (16, 16), "learning_rate": 0.01}


def rows(seed):
    draw = child(seed, "languages")
    return [
        {"body": " ".join(draw.choice(WORDS[name], 8)) + ".", "lang": name}
        for name, size in SIZES.items()
        for _ in range(size)
    ]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("languages")
    for name, seed in (("learned", 0), ("held", 1)):
        table = rows(seed)
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in table))
        (folder / name).mkdir()
        for language in SIZES:
            text = "\n\n".join(row["body"] for row in table if row["lang"] == language)
            (folder / name / f"{language}.txt").write_text(text)
    ww.tokenizer(folder / "learned.jsonl", out=folder / "tok", size=100, text="body", exact=False)
    return folder


def run(files, out, **choices):
    usual = {"tokenizer": files / "tok", "model_size": "1x32", "steps": 12, "override": OVERRIDE, "sampling": 0.7}
    return ww.pretrain(**{**usual, **choices}, out=out)


@pytest.mark.slow
def test_a_column_of_languages_and_a_file_a_language_give_the_same_corpora(files, tmp_path):
    column = {"corpora": files / "learned.jsonl", "language_column": "lang", "text": "body"}
    first = run(files, tmp_path / "a", **column, held_out=files / "held.jsonl")
    second = run(files, tmp_path / "b", corpora=sorted((files / "learned").iterdir()), held_out=files / "held")
    for result in (first, second):
        assert [row["corpus"] for row in result.corpora] == ["de", "sw"]
        assert all(
            {"share", "tokens", "pieces_a_word", "unknown", "mlm", "mlm_right"} <= set(row) for row in result.corpora
        )
    large, small = first.corpora
    assert large["share"] / small["share"] == pytest.approx((large["tokens"] / small["tokens"]) ** 0.7)
    assert [row["tokens"] for row in first.corpora] == [row["tokens"] for row in second.corpora]
    assert all(0 < row["mlm"] < 6 for row in first.corpora)
    card = (tmp_path / "a" / "README.md").read_text()
    assert "| corpus | share | tokens | pieces_a_word | unknown | mlm |" in card
    assert "| sw | " in card


def test_a_run_that_has_ended_says_it_once_however_often_it_is_called(files, tmp_path):
    corpora = sorted((files / "learned").iterdir())
    result = run(files, tmp_path / "a", corpora=corpora, held_out=files / "held")
    assert run(files, tmp_path / "a", corpora=corpora, held_out=files / "held").corpora == result.corpora
    kinds = [row["kind"] for row in metrics_log.read(tmp_path / "a" / "training")]
    assert kinds.count("corpus") == 2


def test_one_corpus_has_no_rows_and_one_without_held_out_text_has_no_loss(files, tmp_path):
    one = run(files, tmp_path / "one", corpora=files / "learned.jsonl", text="body", sampling=1.0)
    assert one.corpora == ()
    two = run(files, tmp_path / "two", corpora=sorted((files / "learned").iterdir()))
    assert all("mlm" not in row for row in two.corpora)


def test_pieces_a_word_and_unknown_pieces_are_those_of_a_count_by_hand(files, tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("der fuchs ☃ mbwafuchs.")
    (tmp_path / "other.txt").write_text("der hund.")
    run(files, tmp_path / "out", corpora=[tmp_path / "notes", tmp_path / "other.txt"], steps=1)
    store = TokenStore.open(tmp_path / "out" / "training" / "corpora" / "0-notes")
    written = store.tokenizer.tokens(np.array(store.ids))
    known = pieces(store)
    assert known["tokens"] == len(written)
    assert known["pieces_a_word"] == len(written) / sum(not piece.startswith("##") for piece in written)
    assert known["unknown"] == written.count("[UNK]") / len(written) > 0


def test_a_row_without_a_language_is_refused_before_anything_is_trained(files, tmp_path):
    (tmp_path / "mixed.jsonl").write_text('{"body": "der hund.", "lang": "de"}\n{"body": "mbwa", "lang": ""}\n')
    with pytest.raises(BadInput, match="line 2: the 'lang' of this row is empty"):
        run(files, tmp_path / "out", corpora=tmp_path / "mixed.jsonl", language_column="lang", text="body")
    assert not list((tmp_path / "out").rglob("*.jsonl"))


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"held_out": "learned.jsonl"}, "this corpus is given twice"),
        ({"corpora": "one.jsonl"}, "mixes several corpora, and only one is given"),
        ({"held_out": "no_column.jsonl"}, "column 'lang' not found"),
    ],
)
def test_a_refused_file_of_several_languages_leaves_nothing(files, tmp_path, choices, message):
    (files / "one.jsonl").write_text('{"body": "der hund.", "lang": "de"}\n')
    (files / "no_column.jsonl").write_text('{"body": "der hund."}\n')
    named = {"corpora": "learned.jsonl"} | choices
    with pytest.raises(BadInput, match=message):
        run(files, tmp_path / "out", language_column="lang", text="body", **{k: files / v for k, v in named.items()})
    assert not (tmp_path / "out").exists()


def test_held_out_text_that_is_a_copy_of_text_that_is_trained_on_is_refused(files, tmp_path):
    (files / "held.txt").write_bytes((files / "learned" / "de.txt").read_bytes())
    with pytest.raises(BadInput, match=r"held\.txt: this held-out file is a copy of .*de\.txt, which is trained on"):
        run(files, tmp_path / "out", corpora=files / "learned", sampling=1.0, held_out=files / "held.txt")
    assert not (tmp_path / "out").exists()


def test_held_out_text_inside_the_folder_that_is_trained_on_is_refused(files, tmp_path):
    with pytest.raises(BadInput, match=r"de\.txt: this file is in two corpora"):
        run(files, tmp_path / "out", corpora=files / "learned", sampling=1.0, held_out=files / "learned" / "de.txt")
    assert not (tmp_path / "out").exists()
