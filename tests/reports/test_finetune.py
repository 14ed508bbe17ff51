"""The page of a fine-tuning says what its record says, escapes what it is given, and leaves out what there is not."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from elements import elements, named

from wordworth.records import Finding, Record, Table
from wordworth.reports import render

RUN = {"learning_rate": 1e-4, "batch_size": 16, "epochs": 3.0, "steps": 90, "kept_step": 90, "reason": ""}


def table(*rows):
    return Table.of(list(rows), dict.fromkeys(rows[0], "")) if rows else Table({}, {})


def run(seed, state="finished", **more):
    name = f"run-{seed}"
    return {"run": name, "stage": "restart", "seed": seed, "state": state, "dev": 0.8, "test": 0.7 + seed / 100,
            "best": seed == 0, **RUN, **more}  # fmt: skip


def record(**changes):
    looks = [{"run": f"run-{seed}", "step": s, "epoch": s / 30, "loss": 1.0, "dev": 0.5 + s / 300}
             for seed in (0, 1) for s in (45, 90)]  # fmt: skip
    example = {"which": "wrong", "row": 3, "text": "<b>Paris</b> & Rome", "second": "", "gold": "x", "predicted": "y",
               "confidence": 0.9, "marks": "[]"}  # fmt: skip
    score = {"metric": "accuracy", "title": "accuracy", "runs": 2, "mean": 0.705, "deviation": 0.007, "least": 0.7,
             "most": 0.71, "low": 0.66, "high": 0.74, "best": 0.7}  # fmt: skip
    tables = {
        "scores": table(score),
        "runs": table(run(0), run(1)),
        "evaluations": table(*looks),
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


def test_the_page_says_the_score_its_interval_and_every_run():
    page = render(record())
    for words in ("Accuracy 70.5", "66.0–74.0", "Seeds differ by up to 1.0 point", "seed 1", "2 of 2"):
        assert words in page


def pictured(page, name):
    """The two drawings of a figure, for a wide page and a phone, each as its elements; and the cells of its table."""
    (figure,) = re.findall(rf'<figure class="chart" data-chart="{name}">.*?</figure>', page, re.DOTALL)
    wide, phone = re.findall(r'<svg class="(?:wide|phone)".*?</svg>', figure, re.DOTALL)
    return [elements(wide), elements(phone)], [cell.text for cell in named(figure, "td")]


def pointed_at(page, name):
    """What a figure tells a pointer: each place's title and its lines."""
    (script,) = (one for one in named(page, "script") if one.attributes.get("id") == "pointers")
    words = json.loads("".join(script.words))[name]["words"]
    return {title: [line for _, line in lines] for title, lines in words}


def test_the_learning_curve_is_drawn_with_a_line_a_run_and_its_numbers():
    page = render(record())
    drawings, cells = pictured(page, "learning")
    for drawing in drawings:
        curves = [one.attributes["class"] for one in drawing if one.attributes.get("class", "").startswith("curve")]
        assert len(curves) == 2
        assert sum("strong" in curve for curve in curves) == 1  # the run that is kept
        assert {"seed 0", "seed 1", "epochs"} <= {one.text for one in drawing if one.name == "text"}
    assert pointed_at(page, "learning") == {
        "epoch 1.5": ["seed 0 65.0", "seed 1 65.0"],
        "epoch 3": ["seed 0 80.0", "seed 1 80.0"],
    }
    assert cells == 2 * ["1.50", "45", "1.00", "65.0", "3.00", "90", "1.00", "80.0"]


def test_without_a_dev_part_the_training_loss_is_drawn():
    looks = [{**look, "dev": None, "loss": 2 - look["epoch"] / 2} for look in record().tables["evaluations"].rows()]
    page = render(record(tables={"evaluations": table(*looks)}))
    assert "Training loss by epoch" in page
    assert pointed_at(page, "learning")["epoch 3"] == ["seed 0 0.500", "seed 1 0.500"]


def test_the_confusion_matrix_is_drawn_with_its_counts_and_shares():
    page = render(record())
    drawings, cells = pictured(page, "confusion")
    for drawing in drawings:
        assert [one.text for one in drawing if "count" in one.attributes.get("class", "")] == ["9", "4"]
        assert sum(one.name == "rect" for one in drawing) == 4
    assert pointed_at(page, "confusion") == {
        "gold x, predicted x": ["9, 69.2 % of 13"],
        "gold x, predicted y": ["4, 30.8 % of 13"],
        "gold y, predicted x": ["0, no example has this label"],
        "gold y, predicted y": ["0, no example has this label"],
    }
    assert cells == ["y", "4"]


def test_seeds_that_score_alike_are_said_to():
    assert "All seeds score 70.0" in render(record(tables={"runs": table(run(0), run(1, test=0.7))}))


def test_strings_of_the_data_are_escaped():
    page = render(record())
    assert "&lt;b&gt;Paris&lt;/b&gt; &amp; Rome" in page
    assert "<b>Paris" not in page


def test_marks_stand_in_the_text_where_entities_are():
    marks = json.dumps([[0, 5, "both", "LOC"], [9, 13, "gold", "ORG"]])
    row = {"which": "wrong", "row": 0, "text": "Paris in Rome", "second": "", "gold": "", "predicted": "",
           "confidence": None, "marks": marks}  # fmt: skip
    page = render(record(tables={"examples": table(row)}))
    assert '<mark class="right">Paris<sub>LOC</sub></mark> in <mark class="missed">Rome<sub>ORG</sub></mark>' in page
    assert '<mark class="missed">missed</mark>' in page


@pytest.mark.parametrize(("kind", "first"), [("pair", "one text"), ("choice", "its other")])
def test_the_other_text_of_a_pair_stands_below_and_a_question_above(kind, first):
    example = {**record().tables["examples"].rows()[0], "text": "one text", "second": "its other"}
    page = render(record(data={**record().data, "kind": kind}, tables={"examples": table(example)}))
    places = {text: page.index(f">{text}<") for text in ("one text", "its other")}
    assert min(places, key=places.__getitem__) == first


def test_collapsed_and_failed_runs_are_counted_not_hidden():
    runs = table(run(0), run(1, "collapsed"), run(2, "failed", test=None, dev=None, reason="loss nan"))
    page = render(record(tables={"runs": runs}))
    for words in ("1 of 3 runs learned nothing", "2 collapsed or failed", "loss nan"):
        assert words in page


def test_a_record_in_which_every_run_failed_has_a_page():
    nothing = {name: table() for name in ("confusion", "classes", "examples", "evaluations")}
    none = {"metric": "accuracy", "title": "accuracy", "runs": 0}
    scores = table(none | dict.fromkeys(("mean", "deviation", "least", "most", "low", "high", "best")))
    runs = table(run(0, "failed", test=None, dev=None, best=False, reason="loss nan"))
    failed = [Finding("verdict", "All 1 runs failed.", {"headline": "No run ended."})]
    page = render(record(tables={**nothing, "scores": scores, "runs": runs}, findings=failed))
    assert "No run ended" in page
    assert "Every run failed" in page


@pytest.mark.parametrize("classes", [2, 16, 150])
def test_many_classes_give_a_table_of_mistakes_in_place_of_a_matrix(classes):
    names = [f"class {number}" for number in range(classes)]
    rows = [{"name": name, "precision": 1.0, "recall": 1.0, "f1": 1.0, "gold": 1, "predicted": 1} for name in names]
    page = render(
        record(
            tables={
                "classes": table(*rows),
                "confusion": table(
                    {"gold": names[0], "predicted": names[1], "count": 3},
                    *({"gold": n, "predicted": n, "count": 1} for n in names),
                ),
            }
        )
    )
    assert ("are too many for a matrix" in page) == (classes == 150)
    assert "“class 0” taken for “class 1”, 3 times" in page


def test_the_document_is_whole_and_its_headings_descend():
    found = [int(one.name[1]) for one in elements(render(record())) if one.name in {"h1", "h2", "h3"}]
    assert found[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(found))


@pytest.mark.parametrize(
    ("floor", "said"), [(0.6, "none says the same of all"), (0.72, "yet the same of all scores 72.0")]
)
def test_runs_that_did_not_collapse_stand_beside_saying_the_same_of_all(floor, said):
    numbers = {"headline": "Accuracy 70.5", "ended": 2, "baseline": floor, "mean": 0.705}
    assert said in render(record(findings=[Finding("verdict", "MiniLM scores 70.5.", numbers)]))


@pytest.mark.parametrize(("first", "last", "said"), [
    (0.65, 0.8, "highest at the end"),
    (0.8, 0.65, "highest at the first evaluation, after epoch 1.5"),
    (0.514, 0.513, "hardly moves"),
])  # fmt: skip
def test_the_learning_curve_is_titled_by_where_it_goes(first, last, said):
    looks = [{**look, "dev": first if look["epoch"] < 2 else last} for look in record().tables["evaluations"].rows()]
    page = render(record(tables={"evaluations": table(*looks)}))
    assert f"The mean dev score is {said}" in page or f"The mean dev score {said}" in page


def test_an_axis_of_scores_that_hardly_differ_shows_two_points_at_least():
    looks = [{**look, "dev": 0.7 + look["epoch"] / 3000} for look in record().tables["evaluations"].rows()]
    drawings, _ = pictured(render(record(tables={"evaluations": table(*looks)})), "learning")
    for drawing in drawings:
        ticks = [float(one.text) for one in drawing if one.name == "text" and re.fullmatch(r"[0-9.]+", one.text)]
        scores = [tick for tick in ticks if tick > 60]
        assert max(scores) - min(scores) >= 1


def test_warnings_stand_beside_the_answer_and_under_what_could_be_wrong():
    verdict = record().findings[0]
    page = render(record(findings=[verdict, Finding("warning.collapsed", "1 of 2 runs collapsed.")]))
    assert page.count("1 of 2 runs collapsed.") == 2
    assert page.index("1 of 2 runs collapsed.") < page.index('id="evidence"')
    assert "Before you trust it" not in render(record())
