"""The page of a study that settles nothing, or asks nothing of context: the same rungs are named all over it."""

from __future__ import annotations

import dataclasses

from example_record import Shape, example

from wordworth.records import Finding, Record, Table
from wordworth.reports import render


def with_table(record: Record, name: str, rows: list[dict[str, object]]) -> Record:
    return dataclasses.replace(record, tables={**record.tables, name: Table.of(rows, dict.fromkeys(rows[0], ""))})


def with_map(record: Record, **changed: object) -> Record:
    decision = {**record.timings["decision"], **changed}
    return dataclasses.replace(record, timings={**record.timings, "decision": decision})


def test_a_map_that_is_in_doubt_where_the_reader_stands_does_not_name_a_winner() -> None:
    record = example(Shape(fallen=False))
    doubt = [[column == len(row) - 1 for column in range(len(row))] for row in record.timings["decision"]["rung"]]
    html = render(with_map(record, uncertain=doubt))
    assert "With 3,893 labels it cannot be told yet which rung is good enough</h3>" in html
    assert "Of the rungs within 1.0 point of the best score, the cheapest is TF-IDF + linear" in html
    assert "likeliest" not in html


def test_a_map_that_says_one_thing_everywhere_is_a_sentence() -> None:
    record = example(Shape(answer="cannot tell yet"))
    rungs = record.timings["decision"]["rung"]
    open_ = render(with_map(record, uncertain=[[True] * len(row) for row in rungs]))
    settled = {"rung": [["tfidf"] * len(row) for row in rungs], "uncertain": [[False] * len(row) for row in rungs]}
    one = render(with_map(record, **settled))
    for html, reason in (
        (open_, "It cannot be told yet at any number of labels"),
        (one, "TF-IDF + linear is named at every number of labels"),
    ):
        assert reason in html
        assert "A map over number of labels" not in html
        assert "Hatched" not in html
        assert "The cheapest rung that is good enough, by texts a month and labels" in html  # the numbers stay


def test_without_a_contextual_rung_nothing_on_the_page_is_about_one() -> None:
    record = example(Shape(contextual=False, answer="cannot tell yet"))
    record = dataclasses.replace(record, data={**record.data, "windowed": 0})
    html = render(with_map(record, uncertain=[[True] * 8] * 7, rung=[["tfidf"] * 8] * 3 + [["wordllama"] * 8] * 4))
    html = html.replace("\u2060", "").replace("\u00a0", " ")
    for word in ("label multiple", "Label multiple", "Where context pays", "encoder&#39;s window", "likeliest"):
        assert word not in html
    near = "With 3,893 labels, of those within 1.0 point of the best score, the cheapest is"
    assert f"{near} TF-IDF + linear up to 100 k texts a month, then WordLlama 256" in html
    assert "none of these was measured" in html


def test_the_rungs_that_are_level_with_the_leader_are_named() -> None:
    record = example(Shape(contextual=False, fallen=False, answer="cannot tell yet"))
    rows = [dict(row, gap_low=-0.01, gap_high=0.01 if row["rung"] in {"tfidf", "glove"} else -0.001)
            for row in record.tables["ladder"].rows()]  # fmt: skip
    verdict = dataclasses.replace(record.findings[0], numbers=record.findings[0].numbers | {"best": "wordllama"})
    named = dataclasses.replace(record, findings=[verdict, *record.findings[1:]])
    html = render(with_table(named, "ladder", rows))
    assert "; TF-IDF + linear and GloVe 6B 50d are level with it at 3,893 labels" in html


def test_the_rungs_that_are_foretold_to_pass_the_chosen_one_are_named_where_they_do() -> None:
    record = example(Shape(contextual=False, fallen=False, answer="cannot tell yet"))
    scores = {"glove": (0.80, 0.80, 0.80), "tfidf": (0.79, 0.81, 0.83), "wordllama": (0.78, 0.79, 0.805)}
    rows = [
        dict(row, score=score, labels=labels, extrapolated=labels > 3_893)
        for rung, points in scores.items()
        for row in record.tables["curve"].rows()
        if row["rung"] == rung and row["labels"] == 3_893
        for labels, score in zip((3_893, 7_786, 15_572), points, strict=True)
    ]
    numbers = record.findings[0].numbers | {"rung": "glove", "best": "glove"}
    carried = Finding("condition.more_labels", "…", {"family": "last1"})
    found = [dataclasses.replace(record.findings[0], numbers=numbers), carried, *record.findings[1:]]
    html = render(with_table(dataclasses.replace(record, findings=found), "curve", rows))
    assert (
        "It is predicted to be passed with 7,786 labels by TF-IDF + linear (81.0), and with 15,572 labels by WordLlama "
        "256 (80.5)." in html
    )
    assert "That is its last score carried on" in html
    assert "with 7,786 labels, 3,893 more (about $156 at $0.04 a label), GloVe 6B 50d would stay at 80.0 (" in html


def test_a_rung_whose_gap_may_exceed_the_margin_is_not_called_level() -> None:
    record = example(Shape(fallen=False))
    best = record.findings[0].numbers["best"]
    for low, said in ((-0.004, "level with"), (-0.08, "not surely below")):
        rows = [dict(row, gap_low=low, gap_high=0.01 if row["rung"] == "tfidf" else -0.001)
                for row in record.tables["ladder"].rows()]  # fmt: skip
        numbers = record.findings[0].numbers | {"best": "wordllama" if best == "tfidf" else best, "epsilon": 0.01}
        found = [dataclasses.replace(record.findings[0], numbers=numbers), *record.findings[1:]]
        html = render(with_table(dataclasses.replace(record, findings=found), "ladder", rows))
        assert f"TF-IDF + linear is {said} it" in html
