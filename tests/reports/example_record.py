"""Records of the shape that the worth study writes, drawn rather than measured: every variant that a page must bear."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wordworth.records import Finding, Record, Table

RUNGS = (
    # rung, title, family, asymptote, start, texts a second, bytes
    ("majority", "Majority class", "constant", 0.503, 0.503, 2_400_000, 64),
    ("tfidf", "TF-IDF + linear", "counts", 0.800, 0.570, 21_300, 3_100_000),
    ("random", "Random vectors", "random", 0.735, 0.540, 41_000, 1_650_000),
    ("glove", "GloVe 6B 50d", "static", 0.752, 0.600, 38_500, 80_400_000),
    ("wordllama", "WordLlama 256", "static", 0.781, 0.640, 24_100, 33_100_000),
    ("minilm-static", "MiniLM as a table", "static", 0.789, 0.660, 25_300, 15_600_000),
    ("minilm", "MiniLM (frozen)", "frozen", 0.802, 0.690, 71.3, 90_900_000),
    ("hybrid", "TF-IDF beside MiniLM", "hybrid", 0.814, 0.690, 70.2, 94_000_000),
    ("minilm-finetuned", "MiniLM (fine-tuned)", "finetuned", 0.823, 0.560, 68.9, 90_900_000),
)
REFERENCE = "minilm-finetuned"
SIZES = (30, 61, 122, 243, 487, 973, 1_946, 3_893)
TEXTS = (
    "A quiet, patient film that trusts its audience and is repaid for it.",
    "It isn't that the jokes are bad, it is that nobody in the room seems to have been told they were jokes.",
    "Not nearly as dull as the trailer promises, though it tries.",
    "What begins as a thriller ends as a shrug. " * 9,
)


@dataclasses.dataclass(frozen=True, kw_only=True)
class Shape:
    """What kind of record to draw."""

    kind: str = "single"
    metric: str = "accuracy"
    classes: int = 2
    sizes: Sequence[int] = SIZES
    contextual: bool = True
    fallen: bool = True
    timed: bool = True
    answer: str = "cheap suffices"
    label: str = "fresh"
    text: str = ""
    title: str = ""
    seed: int = 0


def example(shape: Shape | None = None) -> Record:
    """A record of that shape."""
    shape = shape or Shape()
    rungs = [rung for rung in RUNGS if shape.contextual or rung[2] not in {"frozen", "hybrid", "finetuned"}]
    curve = _curve(rungs, shape)
    ladder = _ladder(rungs, curve, shape)
    tables = {
        "ladder": ladder,
        "curve": curve,
        "runs": _runs(curve),
        "gaps": _gaps(curve, shape),
        "multiples": _multiples(rungs, shape),
        "metrics": _metrics(ladder),
        "slices": _slices(shape),
        "examples": _examples(shape),
        "classes": _classes(shape),
        "static_share": _static_share(shape),
    }
    return Record(
        kind="worth",
        settings=_settings(shape),
        data=_data(shape),
        tables={name: _table(rows) for name, rows in tables.items()},
        findings=_findings(shape, ladder),
        timings=_timings(rungs, shape) if shape.timed else {},
        environment=_environment(),
    )


def comparing(first: str, second: str, **numbers: float) -> Record:
    """The record with a verdict that compares these two rungs, with these numbers behind it."""
    record = example()
    verdict = record.finding("verdict")
    changed = Finding("verdict", verdict.text, {**verdict.numbers, "compared": first, "against": second, **numbers})
    return dataclasses.replace(record, findings=[changed, *record.findings[1:]])


def without(record: Record, *tables: str) -> Record:
    """The record with some tables empty."""
    emptied = {name: Table({column: [] for column in record.tables[name].columns}, {}) for name in tables}
    return dataclasses.replace(record, tables={**record.tables, **emptied})


def _table(rows: Sequence[Mapping[str, Any]]) -> Table:
    names = list(rows[0]) if rows else []
    return Table.of(rows, {name: name for name in names})


def _score(asymptote: float, start: float, labels: int) -> float:
    return asymptote - (asymptote - start) * (labels / 30) ** -0.42


def _curve(rungs: Sequence[tuple[Any, ...]], shape: Shape) -> list[dict[str, Any]]:
    rng = np.random.default_rng(shape.seed)
    rows = []
    for rung, _, family, asymptote, start, _, _ in rungs:
        sizes = shape.sizes[::-3][::-1] if family == "finetuned" else shape.sizes
        more_labels = (2 * shape.sizes[-1], 4 * shape.sizes[-1]) if len(shape.sizes) > 2 else ()
        for labels in (*sizes, *more_labels):
            noise = (
                0.0
                if labels in more_labels or family == "constant"
                else rng.normal(0, 0.05 / math.sqrt(labels) + 0.002)
            )
            score, half = _score(asymptote, start, labels) + noise, 0.011 + 0.35 / math.sqrt(labels) * 0.3
            extrapolated = labels in more_labels
            half *= 1.5 if extrapolated else 1
            rows.append(
                {"rung": rung, "labels": labels, "score": score, "low": score - half, "high": score + half}
                | {"seeds": None if extrapolated else 5, "extrapolated": extrapolated}
            )
    return rows


def _ladder(rungs: Sequence[tuple[Any, ...]], curve: Sequence[Mapping[str, Any]], shape: Shape) -> list[dict[str, Any]]:
    top = {row["rung"]: row for row in curve if row["labels"] == shape.sizes[-1]}
    best = max(top.values(), key=lambda row: row["score"])
    rows = []
    for rung, title, family, *_, size in rungs:
        point, gap = top[rung], top[rung]["score"] - best["score"]
        row = {"rung": rung, "title": shape.title or title, "family": family, "state": "measured", "reason": ""}
        row |= {"labels": shape.sizes[-1], "seeds": 5} | {name: point[name] for name in ("score", "low", "high")}
        row |= {"gap": gap, "gap_low": gap - 0.009, "gap_high": gap + 0.009 if rung != best["rung"] else 0.0}
        row |= {"within": gap - 0.009 >= -0.025, "parameters": size // 4, "width": 384, "disk_bytes": size}
        rows.append(row | _own_multiple(family))
    if shape.fallen:
        rows += [_fallen(rows[-1], "fasttext", "fastText wiki", "failed", "the file ends before its last vector"),
                 _fallen(rows[-1], "concat", "MiniLM, last four layers", "dropped",
                         "at 487 labels its interval lay below that of MiniLM (frozen)")]  # fmt: skip
    return rows


def _own_multiple(family: str) -> dict[str, Any]:
    states = {"constant": ("never", None), "random": ("more than", 8.0), "finetuned": ("undefined", None)}
    state, value = states.get(family, ("exact", 2.3))
    bounds = (1.4, 4.9) if state == "exact" else (None, None)
    return {"multiple": value, "multiple_low": bounds[0], "multiple_high": bounds[1], "multiple_state": state}


def _fallen(like: Mapping[str, Any], rung: str, title: str, state: str, reason: str) -> dict[str, Any]:
    row = dict.fromkeys(like)
    return row | {"rung": rung, "title": title, "family": "static", "state": state, "reason": reason,
                  "seeds": 0, "within": False, "multiple_state": "undefined"}  # fmt: skip


def _static_share(shape: Shape) -> list[dict[str, Any]]:
    """No row without an encoder; no share where it adds nothing."""
    gain = 0.0 if shape.answer == "cannot tell yet" else 0.067
    row: dict[str, Any] = {"rung": "minilm-static", "against": "minilm", "floor": "random", "labels": shape.sizes[-1]}
    row |= {"word_share": 0.58, "predicted": 0.58, "gain": gain, "gain_low": gain - 0.02, "gain_high": gain + 0.02}
    row |= {"gap": -0.013, "gap_low": -0.024, "gap_high": -0.002, "state": "measured" if gain else "no gain"}
    kept = (0.81, 0.62, 1.04) if gain else (math.nan,) * 3
    return [row | dict(zip(("kept", "kept_low", "kept_high"), kept, strict=True))] if shape.contextual else []


def _runs(curve: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    measured = [row for row in curve if not row["extrapolated"]]
    return [
        {
            "rung": row["rung"],
            "labels": row["labels"],
            "seed": seed,
            "score": row["score"],
            "state": "ok",
            "chosen": "{}",
        }
        for row in measured
        for seed in range(5)
    ]


def _gaps(curve: Sequence[Mapping[str, Any]], shape: Shape) -> list[dict[str, Any]]:
    if not shape.contextual:
        return []
    own = {row["labels"]: row["score"] for row in curve if row["rung"] == "minilm"}
    return [
        {
            "rung": row["rung"],
            "against": "minilm",
            "labels": row["labels"],
            "gap": (gap := row["score"] - own[row["labels"]]),
        }
        | {"low": gap - 0.01, "high": gap + 0.01}
        for row in curve
        if row["rung"] != "minilm" and row["labels"] in own and not row["extrapolated"]
    ]


def _multiples(rungs: Sequence[tuple[Any, ...]], shape: Shape) -> list[dict[str, Any]]:
    cheap = [rung for rung in rungs if rung[2] in {"counts", "static", "random"}]
    states = ("exact", "at most", "more than", "never")
    return [
        {"rung": rung[0], "against": "minilm", "labels": 973, "multiple": None if state == "never" else 2.0, "low": 1.2,
         "high": "inf" if state == "more than" else 3.9, "state": state, "direction": "labels the cheap rung needs"}
        for rung, state in zip(cheap, states, strict=False)
        if shape.contextual
    ]  # fmt: skip


def _metrics(ladder: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"rung": row["rung"], "metric": metric, "score": None if row["family"] == "constant" and metric == "matthews"
         else row["score"] - drop, "low": row["score"] - drop - 0.015, "high": row["score"] - drop + 0.015}
        for row in ladder
        if row["score"] is not None
        for metric, drop in (("accuracy", 0.0), ("macro_f1", 0.004), ("matthews", 0.2))
    ]  # fmt: skip


def _slices(shape: Shape) -> list[dict[str, Any]]:
    if not shape.contextual:
        return []
    measures = {
        "complexity": "mean distance between neighbouring clause heads, a substitute for dependency length",
        "ambiguity": "entropy of the label shares of the text's words, in bits",
        "unseen": "share of the text's words that the training part lacks",
    }
    rows = []
    for index, (measure, meaning) in enumerate(measures.items()):
        for rung, _, family, *_ in RUNGS:
            if family in {"counts", "random", "static"}:
                easy, hard = 0.004 + 0.003 * index, 0.021 + 0.012 * index - 0.004 * len(rung)
                rows.append(_slice(measure, meaning, rung, easy, hard))
    undefined = {"difference", "low", "high", "easy_gap", "hard_gap", "p", "null_difference", "larger_on_hard"}
    rows[3] |= dict.fromkeys(undefined | {"survives_null"})
    return rows


def _slice(measure: str, meaning: str, rung: str, easy: float, hard: float) -> dict[str, Any]:
    difference = hard - easy
    return {
        "measure": measure, "meaning": meaning, "rung": rung, "against": REFERENCE, "easy_n": 487, "hard_n": 486,
        "undefined_n": 0, "easy_gap": easy, "hard_gap": hard, "difference": difference, "low": difference - 0.014,
        "high": difference + 0.014, "relative_easy": 0.08, "relative_hard": 0.11, "logit_easy": 0.10,
        "logit_hard": 0.13, "null_difference": 0.005, "p": 0.03 if difference > 0.018 else 0.41,
        "rank": 0.61, "rank_low": 0.552, "rank_high": 0.664, "rank_beyond": None, "rank_beyond_low": None,
        "rank_beyond_high": None, "larger_on_hard": difference > 0, "survives_null": difference > 0.018,
    }  # fmt: skip


def _examples(shape: Shape) -> list[dict[str, Any]]:
    names = _names(shape)
    return [
        {"which": which, "text": shape.text or text, "second": "Another text." if shape.kind == "pair" else "",
         "gold": names[0], "cheap": names[which == "contextual"], "contextual": names[which == "cheap"],
         "cheap_rung": "tfidf", "contextual_rung": REFERENCE}
        for which in ("contextual", "cheap")
        for text in TEXTS
        if shape.contextual
    ]  # fmt: skip


def _names(shape: Shape) -> list[str]:
    return [shape.label, "rotten", *(f"intent_{index:03d}" for index in range(2, max(2, shape.classes)))]


def _classes(shape: Shape) -> list[dict[str, Any]]:
    if shape.kind == "regression":
        return []
    return [{"name": name, "train": 1946 - index, "test": 486} for index, name in enumerate(_names(shape))]


def _settings(shape: Shape) -> dict[str, Any]:
    return {"seed": 0, "margin": 1.0, "seeds": 5, "sizes": list(shape.sizes), "metric": shape.metric, "quick": False,
            "hourly_price": 0.10, "label_price": 0.04, "models": ["minilm"], "vectors": [], "draws": 1000}  # fmt: skip


def _data(shape: Shape) -> dict[str, Any]:
    return {"name": "rotten_tomatoes_corpus.csv", "kind": shape.kind, "metric": shape.metric,
            "classes": _names(shape)[: shape.classes], "train": shape.sizes[-1], "test": 973,
            "labels_distinct": shape.classes, "words_median": 21, "words_p95": 42, "words_max": 61, "windowed": 7,
            "sources": [{"path": "rotten_tomatoes_corpus.csv.bz2", "sha256": "9f2c" * 16, "rows": 4866}]}  # fmt: skip


def _findings(shape: Shape, ladder: Sequence[Mapping[str, Any]]) -> list[Finding]:
    scored = [row for row in ladder if row["score"] is not None]
    best = max(scored, key=lambda row: row["score"])["rung"]
    rung = {"cheap suffices": "tfidf", "contextual is worth it": best}.get(shape.answer, best)
    headline = {"cheap suffices": "Keep TF-IDF.", "contextual is worth it": "Use MiniLM (fine-tuned)."}
    text = (
        "With your 3,893 labels TF-IDF is 1.9 points behind MiniLM (fine-tuned) (95 %: 1.0 to 2.8) and answers 310 "
        "times as many texts a second. Below about 600 labels, MiniLM would be worth it."
    )
    cheap = ("tfidf", REFERENCE if shape.contextual else "wordllama")
    first, second = reversed(cheap) if shape.answer.startswith("contextual") else cheap
    numbers = {"answer": shape.answer, "headline": headline.get(shape.answer, "Cannot tell yet."), "rung": rung,
               "best": best, "compared": first, "against": second, "gap": -0.019, "low": -0.028, "high": -0.010,
               "epsilon": 0.01}  # fmt: skip
    return [
        Finding("verdict", text, numbers),
        Finding("condition.metric.macro_f1", "Judged by macro F1, the verdict stays.", {"changes": False}),
        Finding(
            "condition.vocabulary",
            "11 % of the words of a test text are new; on the texts with more new words than the median, the verdict "
            "would be: cannot tell yet.",
            {"changes": True},
        ),
        Finding("warning.duplicates", "12 texts occur twice with different labels.", {"count": 12}),
        Finding("warning.overlap", "3 test texts have a near twin in the training part.", {"count": 3}),
        *([Finding("dropped.concat", "MiniLM, last four layers, was dropped at 487 labels.", {"rung": "concat"})]
          if shape.fallen else []),
        Finding("method.curves", "Every rung learned from the same nested draws of the labels, five draws a size."),
        Finding("method.intervals", "Intervals come from resampling draws and test texts together, 1,000 times."),
    ]  # fmt: skip


def _timings(rungs: Sequence[tuple[Any, ...]], shape: Shape) -> dict[str, Any]:
    costs = [
        {"rung": rung, "texts_per_second": rate, "p50_ms": 900 / rate + 0.2, "p95_ms": 1400 / rate + 0.3,
         "memory_bytes": size * 1.4, "fit_seconds": 0.7 if rate > 100 else 64.0, "price_per_million": 27.8 / rate}
        for rung, *_, rate, size in rungs
    ]  # fmt: skip
    seconds = {"read": 0.4, "frozen": 71.2, "fits": 14.0, "bootstrap": 22.7}
    return {"costs": _table(costs), "decision": _decision(rungs, shape), "seconds": seconds}


def _decision(rungs: Sequence[tuple[Any, ...]], shape: Shape) -> dict[str, Any]:
    labels, texts = list(shape.sizes), [10**power for power in range(3, 10)]
    names = [rung[0] for rung in rungs]
    expensive, middle = names[-1], names[-2]
    grid = [
        [
            expensive if column < 4 and row < 4 else middle if column + row < 7 and column > 2 else "tfidf"
            for column in range(len(labels))
        ]
        for row in range(len(texts))
    ]
    uncertain = [[abs(column + row - 6) < 1 for column in range(len(labels))] for row in range(len(texts))]
    costs = [[0.04 * count + 1e-6 * volume for count in labels] for volume in texts]
    return {
        "labels": labels,
        "texts_per_month": texts,
        "rung": grid,
        "uncertain": uncertain,
        "total_cost": costs,
        "epsilon": 0.01,
    }


def _environment() -> dict[str, Any]:
    versions = {"wordworth": "0.1.0", "numpy": "2.3.1", "torch": "absent"}
    return {"versions": versions, "python": "3.11.9", "cpu": "Example CPU 2.4 GHz", "threads": 2, "date": "2026-11-21"}
