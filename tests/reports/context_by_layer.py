"""A made-up `context` record whose values fall by layer, with a row for every measure."""

import numpy as np

from wordworth.records import Finding, Record, Table

MEASURES = (
    "baseline", "self_similarity", "self_similarity_adjusted", "self_similarity_repeated", "self_similarity_centred",
    "intra_sentence", "between_words", "explained_literal", "explained_centred", "explained_published", "iso_score",
    "top_share", "length", "length_first",
)  # fmt: skip


def table(rows):
    return Table.of(rows, dict.fromkeys(rows[0], "")) if rows else Table({}, {})


def level(model, depth, measure, layer):
    static = depth == 0 and measure in {"explained_centred", "explained_published"}
    value = np.nan if static else 0.9 - 0.1 * layer
    row = {"model": model, "layer": layer, "measure": measure, "value": value, "low": value - 0.02}
    return {
        **row,
        "high": value + 0.02,
        "null": np.nan if measure.startswith("length") else 0.1,
        "number": 20,
        "of": "words",
    }


def example(models=(("minilm", 6), ("glove", 0)), *, stop=True):
    names = dict(models)
    rows = [level(m, d, measure, layer) for m, d in models for measure in MEASURES for layer in range(d + 1)]
    words = [
        {"model": m, "word": f"w{n}", "contexts": 30 + n, "occurrences": 40, "stop_word": False,
         "self_similarity": [1 - 0.01 * n] * (d + 1)}
        for m, d in models for n in range(30)
    ]  # fmt: skip
    ends = {f"{part}{end}": 0.5 for part in ("stop", "rest") for end in ("", "_low", "_high")}
    counts = {"difference": -0.2, "low": -0.3, "high": -0.1, "stop_words": 9, "other_words": 99, "variety": -0.3}
    stops = [{"model": m, "layer": n, **ends, **counts} for m, d in models for n in range(d + 1)] if stop else []
    about = [
        {"model": m, "layers": d, "width": 9, "unit": "words", "occurrences": 1234, "words": 30} for m, d in models
    ]
    grey = [{"model": "BERT", "measure": "baseline", "layer": n, "value": 0.03 * n} for n in range(13)]
    verdict = Finding(
        "verdict", "So it is.", {"headline": "minilm: layer 5.", "models": {m: {"layer": 0} for m in names}}
    )
    return Record(
        kind="context",
        settings={"units": "words", "limit": None},
        data={"name": "x.txt", "sentences": 99, "sources": [{"path": "x.txt", "sha256": "00", "rows": 120}]},
        tables={
            "models": table(about), "layers": table(rows), "words": table(words), "stop_words": table(stops),
            "published": table(grey), "measures": table([{"measure": "baseline", "meaning": "a", "null": "b"}]),
        },
        findings=[verdict, Finding("warning.x", "Mind this."), Finding("method.1", "Thus.")],
        timings={"seconds": {"minilm": 3.2}},
        environment={"versions": {"numpy": "2"}, "date": "2026-11-21", "cpu": "a CPU"},
    )  # fmt: skip
