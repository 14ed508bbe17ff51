"""Small made-up inputs for every command: labelled text of each kind, corpora, word sets, vectors and an encoder.

Everything is in formats that others define (CSV, CoNLL, SQuAD's rows, BERT's folder as transformers saves it) and
needs no line of Wordworth: what is written here stays the same whatever becomes of our code.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise, permutations
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

GOOD = ("good", "great", "lovely", "superb")
BAD = ("bad", "awful", "dreadful", "boring")
THINGS = ("film", "book", "dinner", "hotel", "song", "phone")
REST = ("the", "a", "was", "it", "and", "quite", "really", "there", "we", "in")
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
ASKED = ("what", "did", "like", "number")
PIECES = (*SPECIAL, *GOOD, *BAD, *THINGS, *REST, *ASKED, *"bcdefghijklmnopqrstuvwxyz0123456789.,?!", "##s")
WIDTH, HEADS, WIDER, POSITIONS = 8, 2, 16, 64
SURE = 0.9
"""Probability that a neighbouring word reveals the sense of a word."""


def write(folder: Path) -> Path:
    """Write every input into a folder, with the same bytes at every call, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for maker in (_tables, _questions, _tags, _corpora, _senses, _word_sets, _triples, _visits, _features):
        maker(folder)
    table(folder / "vectors.txt")
    encoder(folder / "encoder")
    return folder


def sentences(count: int, seed: int) -> list[tuple[str, int, int]]:
    """Return made-up sentences, each with its numbers of good and of bad words."""
    draw = np.random.default_rng(seed)
    made = []
    for good, bad in draw.integers(0, 3, (count, 2)).tolist():
        words = [*draw.choice(GOOD, good), *draw.choice(BAD, bad), draw.choice(THINGS), *draw.choice(REST, 5)]
        made.append((" ".join(map(str, draw.permutation(words))), good, bad))
    return made


def _tables(folder: Path) -> None:
    """One table for each kind of task that a table can hold, and many short texts."""
    rows = sentences(120, 0)
    feelings = [("bad", "mixed", "good")[int(np.sign(good - bad)) + 1] for _, good, bad in rows]
    texts = [text for text, _, _ in rows]
    turned = [*texts[1:], texts[0]]
    same = ["same" if first == second else "different" for first, second in pairwise([*feelings, feelings[0]])]
    _csv(folder / "reviews.csv", ("text", "label"), zip(texts, feelings, strict=True))
    _csv(folder / "pairs.csv", ("text", "second", "label"), zip(texts, turned, same, strict=True))
    rows_by_language = [
        (text, label, language) for text, label in zip(texts, feelings, strict=True) for language in ("xx", "yy")
    ]
    _csv(folder / "languages.csv", ("text", "label", "language"), rows_by_language)
    translated = [(f"zz {text}", text, language) for text in texts[:40] for language in ("xx", "yy")]
    _csv(folder / "translations.csv", ("text", "translation", "language"), translated)
    tagged = [(text.split(), language) for text in texts[:40] for language in ("xx", "yy")]
    _jsonl(
        folder / "tagged.jsonl",
        (
            {"words": words, "tags": ["T" if word in THINGS else "W" for word in words], "language": language}
            for words, language in tagged
        ),
    )
    _csv(folder / "ratings.csv", ("text", "rating"), ((text, good - bad + 0.5) for text, good, bad in rows))
    _csv(
        folder / "topics.csv",
        ("text", "praise", "blame"),
        ((text, int(good > 0), int(bad > 0)) for text, good, bad in rows),
    )
    _jsonl(folder / "texts.jsonl", ({"text": text} for text, _, _ in sentences(1200, 1)))


def _questions(folder: Path) -> None:
    """Questions on a context, and contexts with options."""
    contexts = [f"number {row // 2} was a {THINGS[row // 2 % len(THINGS)]} and we like it" for row in range(60)]
    things = [text.split()[4] for text in contexts]
    answers = [
        [{"text": thing, "answer_start": text.index(thing)}] for thing, text in zip(things, contexts, strict=True)
    ]
    _jsonl(
        folder / "spans.jsonl",
        (
            {"question": "what was it?", "context": context, "answers": answer}
            for context, answer in zip(contexts, answers, strict=True)
        ),
    )
    options = ["good", "bad", "quite good"]
    _jsonl(
        folder / "choices.jsonl",
        ({"context": text, "options": options, "label": row % 3} for row, text in enumerate(contexts)),
    )


def _tags(folder: Path) -> None:
    tagged = [
        [f"{word} {'B-thing' if word in THINGS else 'O'}" for word in text.split()] for text, _, _ in sentences(90, 2)
    ]
    (folder / "names.conll").write_text("\n\n".join(map("\n".join, tagged)) + "\n", encoding="utf-8")


def _corpora(folder: Path) -> None:
    """Text to pretrain on, text that is held out, and text of another domain; a document a line."""
    for name, seed, documents in (("corpus/some", 3, 40), ("held-out", 4, 8), ("other", 5, 30)):
        path = folder / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        lines = [f"{text}." for text, _, _ in sentences(4 * documents, seed)]
        parts = [" ".join(lines[start : start + 4]) for start in range(0, len(lines), 4)]
        path.write_text("\n".join(parts) + "\n", encoding="utf-8")


def _senses(folder: Path) -> None:
    """Words that are tagged with one of two senses, which a neighbour gives away nearly always."""
    draw = np.random.default_rng(6)
    rows = []
    for number, (text, _, _) in enumerate(sentences(160, 6)):
        word, sense = ("film", "song")[number % 2], int(draw.integers(0, 2))
        beside = (GOOD, BAD)[sense if draw.random() < SURE else 1 - sense]
        rows.append((word, ("kind", "harsh")[sense], f"{draw.choice(beside)} {word} {text}"))
    _csv(folder / "senses.csv", ("word", "sense", "sentence"), rows)
    (folder / "sentences.txt").write_text("\n".join(text for text, _, _ in sentences(200, 7)) + "\n", encoding="utf-8")


def _word_sets(folder: Path) -> None:
    """Ratings of pairs, questions of analogy and categories, under the names of the published sets."""
    groups = {"praise": GOOD, "blame": BAD, "thing": THINGS}
    kind = {word: name for name, words in groups.items() for word in words}
    pairs = [(first, second, 8.5 if kind[first] == kind[second] else 1.5) for first, second in combinations(kind, 2)]
    analogies = [f"{a} {b} {c} {d}" for (a, b), (c, d) in permutations(zip(GOOD, BAD, strict=True), 2)]
    for name, lines in {
        "sim/EN-SIMLEX-999.txt": [f"{first}\t{second}\t{rating}" for first, second, rating in pairs],
        "analogy/questions-words.txt": [": opposites", *analogies],
        "categories/ap.tsv": [f"{name}\t{word}" for word, name in kind.items()],
    }.items():
        path = folder / "wordsets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _triples(folder: Path) -> None:
    """A knowledge graph of numbers and the steps from one to another."""
    steps = {"next": 1, "after_next": 2, "third": 3}
    lines = [f"n{n}\t{name}\tn{n + step}" for n in range(40) for name, step in steps.items()]
    (folder / "triples.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    _csv(folder / "links.csv", ("row", "start", "end", "entity"), ((row, 0, 1, f"n{row % 9}") for row in range(60)))


def _visits(folder: Path) -> None:
    """Visits whose drug is that of the condition, and the tree of the drugs."""
    draw = np.random.default_rng(9)
    lines = ["patient,date,kind,code"]
    for patient in range(30):
        for month, code in enumerate(draw.integers(0, 4, 3).tolist(), start=1):
            lines += [f"p{patient},2020-{month:02}-01,{kind},{kind[0]}{code}" for kind in ("condition", "medication")]
    (folder / "visits.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    tree = ["child,parent", "low,", "high,", "m0,low", "m1,low", "m2,high", "m3,high"]
    (folder / "codes.csv").write_text("\n".join(tree) + "\n", encoding="utf-8")


def _features(folder: Path) -> None:
    """Features of sequences of three words, two rows a word, by four speakers; and which rows are which sequence."""
    draw = np.random.default_rng(10)
    middles, noise = 3 * draw.normal(size=(len(THINGS), 4)), draw.normal(size=(160, 3, 2, 4))
    words = draw.integers(0, len(THINGS), (160, 3))
    np.save(folder / "features.npy", (middles[words][:, :, None] + noise).reshape(-1, 4).astype(np.float32))
    rows = [(6 * n, 6 * n + 6, " ".join(THINGS[w] for w in own), f"s{n % 4}") for n, own in enumerate(words.tolist())]
    _csv(folder / "captions.csv", ("start", "end", "text", "group"), rows)


def table(path: Path) -> None:
    """Write a table of word vectors in GloVe's text format, in which words of one kind are near each other."""
    draw = np.random.default_rng(8)
    lines = []
    for words in (GOOD, BAD, THINGS, REST):
        middle = draw.normal(size=8)
        lines += [f"{word} {' '.join(f'{x:.4f}' for x in middle + 0.5 * draw.normal(size=8))}" for word in words]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def encoder(folder: Path) -> None:
    """Write a random BERT of one layer with mean pooling, in the files of transformers and sentence-transformers."""
    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    sizes = {"hidden_size": WIDTH, "num_hidden_layers": 1, "num_attention_heads": HEADS, "intermediate_size": WIDER}
    config = {"model_type": "bert", "architectures": ["BertModel"], "vocab_size": len(PIECES), **sizes}
    modules = [("", "Transformer"), ("1_Pooling", "Pooling")]
    listed = [
        {"idx": index, "name": str(index), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for index, (path, kind) in enumerate(modules)
    ]
    _json(folder / "config.json", {**config, "max_position_embeddings": POSITIONS, "type_vocab_size": 2})
    _json(folder / "tokenizer_config.json", {"do_lower_case": True})
    _json(folder / "modules.json", listed)
    _json(folder / "1_Pooling" / "config.json", {"word_embedding_dimension": WIDTH, "pooling_mode_mean_tokens": True})
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n", encoding="utf-8")
    save_file(_weights(np.random.default_rng(9)), folder / "model.safetensors", metadata={"format": "pt"})


def _weights(draw: np.random.Generator) -> dict[str, np.ndarray]:
    """Return BERT's tensors by the names that transformers gives them."""
    layer, made = "encoder.layer.0.", {}
    maps = {
        f"{layer}attention.{name}": (WIDTH, WIDTH) for name in ("self.query", "self.key", "self.value", "output.dense")
    }
    maps |= {
        f"{layer}intermediate.dense": (WIDER, WIDTH),
        f"{layer}output.dense": (WIDTH, WIDER),
        "pooler.dense": (WIDTH, WIDTH),
    }
    for name, shape in maps.items():
        made[f"{name}.weight"], made[f"{name}.bias"] = 0.2 * draw.normal(size=shape), 0.1 * draw.normal(size=shape[0])
    for name in ("embeddings", f"{layer}attention.output", f"{layer}output"):
        made[f"{name}.LayerNorm.weight"], made[f"{name}.LayerNorm.bias"] = np.ones(WIDTH), np.zeros(WIDTH)
    for name, rows in (("word", len(PIECES)), ("position", POSITIONS), ("token_type", 2)):
        made[f"embeddings.{name}_embeddings.weight"] = 0.5 * draw.normal(size=(rows, WIDTH))
    return {name: value.astype(np.float32) for name, value in made.items()}


def _csv(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _jsonl(path: Path, rows: Iterable[Mapping[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")
