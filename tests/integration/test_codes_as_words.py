"""Codes of features are words to the studies of text: what they and their order are worth, how contextual they are, a
probe of them."""

import numpy as np
import pandas as pd
import pytest

import wordworth as ww

pytestmark = pytest.mark.slow
SHORT = {"model_size": "1x32", "steps": 2, "evals": 1, "override": {"batch_size": 4, "lengths": (16, 16)}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Sequences of codes with labels that the codes tell, and a model that was pretrained on them."""
    folder = tmp_path_factory.mktemp("codes")
    draw = np.random.default_rng(0)
    labels = draw.integers(0, 2, 90)
    np.save(folder / "f.npy", (8 * draw.normal(size=(2, 1, 3))[labels] + draw.normal(size=(90, 6, 3))).reshape(-1, 3))
    ww.learn_symbols(folder / "f.npy", folder / "codebook", k=4, depth=2)
    rows = [{"start": 6 * n, "end": 6 * n + 6, "label": "ab"[label]} for n, label in enumerate(labels.tolist())]
    ww.encode_symbols(folder / "codebook", folder / "f.npy", folder / "clips.csv", sequences=rows)
    (folder / "clips.txt").write_text("\n\n".join(codes_of(folder)), encoding="utf-8")
    ww.tokenizer(folder / "clips.txt", out=folder / "tokenizer", size=30, exact=False)
    ww.pretrain(folder / "clips.txt", tokenizer=folder / "tokenizer", out=folder / "model", **SHORT)
    return folder


def codes_of(folder):
    return pd.read_csv(folder / "clips.csv")["codes"].tolist()


def test_worth_says_what_codes_are_worth(folder):
    quick = {"models": "none", "quick": True, "seeds": 2, "draws": 100, "rungs": "tfidf"}
    record = ww.worth(folder / "clips.csv", text="codes", label="label", **quick)
    assert record.kind == "worth"
    assert record.table("curve")["score"].max() > 0.9


def test_worth_says_what_the_order_of_codes_is_worth(folder):
    """Three codes of one half of the codes and three of the other, in an order that is the label: bags cannot tell."""
    draw = np.random.default_rng(1)
    names = [f"c{number}" for number in range(16)]
    labels = draw.integers(0, 2, 200).tolist()
    parts = [[" ".join(draw.choice(half, 3)) for half in (names[:8], names[8:])] for _ in labels]
    rows = [
        {"codes": f"{pair[label]} {pair[1 - label]}", "label": "ab"[label]}
        for pair, label in zip(parts, labels, strict=True)
    ]
    few = {"quick": True, "seeds": 2, "draws": 100, "rungs": ["model", "wordllama"]}
    curve = ww.worth(rows, models=str(folder / "model"), text="codes", label="label", **few).table("curve")
    scores = curve[curve["labels"] == curve["labels"].max()].set_index("rung")["score"]
    assert scores["model"] > 0.85
    assert max(scores["wordllama"], scores["majority"]) < 0.65


def test_the_study_of_context_measures_how_contextual_codes_are(folder):
    record = ww.study_context(folder / "clips.txt", models=folder / "model", draws=100, explorer=0, contexts=2)
    assert record.kind == "context"
    assert set(record.table("words")["word"]) == {code for codes in codes_of(folder) for code in codes.split()}
    similar = record.table("layers").query("measure == 'self_similarity'")
    assert similar["layer"].tolist() == [0, 1]
    assert similar["value"].between(0, 1, inclusive="neither").all()


def test_a_probe_reads_a_label_from_the_states_of_codes(folder, tmp_path):
    record = ww.probe(
        folder / "clips.csv", tmp_path / "probe", model=folder / "model", text="codes", label="label", draws=100
    )
    assert record.kind == "layers"
    layers = record.table("layers")
    assert layers["layer"].tolist() == [0, 1]
    assert layers["f1"].min() > 0.9
    drawn = np.random.default_rng(0).permutation(pd.read_csv(folder / "clips.csv")["label"])
    table = [{"codes": codes, "label": label} for codes, label in zip(codes_of(folder), drawn, strict=True)]
    chance = ww.probe(table, tmp_path / "chance", model=folder / "model", text="codes", label="label", draws=100)
    assert chance.table("layers")["f1"].max() < 0.8


def test_one_model_is_pretrained_on_text_on_codes_and_on_both(folder, tmp_path):
    """The three regimes of VideoBERT in one column: rows of text have no features, and rows of features no text."""
    rows = []
    for first in range(0, 180, 12):
        rows.append({"start": first, "end": first + 6, "text": f"the words of clip {first}"})
        rows.append({"start": first + 6, "end": first + 12, "text": None})
        rows.append({"start": None, "end": None, "text": f"only words {first}"})
    ww.encode_symbols(folder / "codebook", folder / "f.npy", tmp_path / "clips.csv", sequences=rows)
    table = pd.read_csv(tmp_path / "clips.csv", keep_default_na=False)
    assert table["codes"].str.startswith("c").tolist() == [True, True, False] * 15
    both = (table["text"] + " " + table["codes"]).str.strip()
    both.to_frame("both").to_csv(tmp_path / "both.csv", index=False)
    ww.tokenizer(tmp_path / "both.csv", text="both", out=tmp_path / "tokenizer", size=80, exact=False)
    for name, column in (("both", "both"), ("clips", "codes")):  # the second has empty cells, which are passed over
        chosen = {"text": column, "tokenizer": tmp_path / "tokenizer", **SHORT}
        ww.pretrain(tmp_path / f"{name}.csv", out=tmp_path / name, **chosen)
        vectors = ww.load(tmp_path / name).encode(both[:3].tolist())
        assert np.isfinite(np.asarray(vectors)).all()
