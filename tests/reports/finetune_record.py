"""A made-up `finetune` record of two runs, and what the figures of its page show."""

import json
import re
from dataclasses import replace

from elements import elements, named

from wordworth.records import Finding, Record, Table

RUN = {"learning_rate": 1e-4, "batch_size": 16, "epochs": 3.0, "steps": 90, "kept_step": 90, "reason": ""}


def table(*rows):
    return Table.of(list(rows), dict.fromkeys(rows[0], "")) if rows else Table({}, {})


def run(seed, state="finished", **more):
    name = f"run-{seed}"
    return {"run": name, "stage": "restart", "seed": seed, "state": state, "dev": 0.8, "test": 0.7 + seed / 100,
            "best": seed == 0, **RUN, **more}  # fmt: skip


def record(**changes):
    evaluations = [{"run": f"run-{seed}", "step": s, "epoch": s / 30, "loss": 1.0, "dev": 0.5 + s / 300}
             for seed in (0, 1) for s in (45, 90)]  # fmt: skip
    example = {"which": "wrong", "row": 3, "text": "<b>Paris</b> & Rome", "second": "", "gold": "x", "predicted": "y",
               "confidence": 0.9, "marks": "[]"}  # fmt: skip
    score = {"metric": "accuracy", "title": "accuracy", "runs": 2, "mean": 0.705, "deviation": 0.007, "least": 0.7,
             "most": 0.71, "low": 0.66, "high": 0.74, "best": 0.7}  # fmt: skip
    tables = {
        "scores": table(score),
        "runs": table(run(0), run(1)),
        "evaluations": table(*evaluations),
        "confusion": table({"gold": "x", "predicted": "y", "count": 4}, {"gold": "x", "predicted": "x", "count": 9}),
        "classes": table(*({"name": name, "precision": 0.5, "recall": None, "f1": 0.5, "gold": 13, "predicted": 9}
                           for name in ("x", "y"))),
        "examples": table(example),
    }  # fmt: skip
    data = {"name": "cola", "kind": "single", "metric": "accuracy", "metric_title": "accuracy", "classes": ["x", "y"],
            "train": 90, "dev": 10, "test": 50, "cut": 0, "model": "MiniLM", "sources": []}  # fmt: skip
    verdict = Finding("verdict", "MiniLM scores 70.5.", {"headline": "Accuracy 70.5", "ended": 2, "baseline": 0.6})
    made = Record(kind="finetune", settings={"learning_rate": 1e-4}, data=data, tables=tables, findings=[verdict])
    return replace(made, tables=made.tables | changes.pop("tables", {}), **changes)


def pictured(page, name):
    """The two drawings of a figure, for a wide page and a phone, each as its elements; and the cells of its table."""
    (figure,) = re.findall(rf'<figure class="chart" data-chart="{name}">.*?</figure>', page, re.DOTALL)
    wide, phone = re.findall(r'<svg class="(?:wide|phone)".*?</svg>', figure, re.DOTALL)
    return [elements(wide), elements(phone)], [cell.text for cell in named(figure, "td")]


def pointed_at(page, name):
    """What a figure tells a pointer: each place's title and its lines."""
    (script,) = (element for element in named(page, "script") if element.attributes.get("id") == "pointers")
    words = json.loads("".join(script.words))[name]["words"]
    return {title: [line for _, line in lines] for title, lines in words}
