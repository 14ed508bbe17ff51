"""The page of a worth record: whatever the record holds, the page stands, says it, and shows no more than it knows."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import math
import re
from pathlib import Path

import pytest
from elements import elements, named
from example_record import Shape, example, without

from wordworth.errors import BadInput
from wordworth.records import Finding, Record, Table, read
from wordworth.reports import render
from wordworth.reports.worth.captions import add_captions

LONG = "a label that goes on and on " * 20
VARIANTS = {
    "two classes": Shape(),
    "150 classes": Shape(classes=150, metric="macro_f1"),
    "pairs": Shape(kind="pair", metric="f1:paraphrase"),
    "regression": Shape(kind="regression", metric="spearman"),
    "many labels": Shape(kind="multilabel", metric="micro_f1"),
    "tagging": Shape(kind="tags", metric="entity_f1"),
    "context is worth it": Shape(answer="contextual is worth it"),
    "cannot tell": Shape(answer="cannot tell yet"),
    "no contextual rung": Shape(contextual=False),
    "one size": Shape(sizes=(120,)),
    "two sizes": Shape(sizes=(120, 240)),
    "nothing fell out": Shape(fallen=False),
    "not timed": Shape(timed=False),
    "long names": Shape(label=LONG, title=LONG, text=LONG * 20),
}
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&</style>]]>--><svg/onload=alert(3)>\x00\x1b\u202e"


@functools.cache
def drawn(name: str) -> str:
    return render(example(VARIANTS[name]))


@pytest.fixture(scope="module")
def page() -> str:
    return drawn("two classes")


@pytest.mark.parametrize("name", VARIANTS)
def test_every_kind_of_record_becomes_a_whole_page(name: str) -> None:
    html = drawn(name)
    assert len(named(html, "h1")) == 1
    assert len(html) < (3_000_000 if name == "long names" else 300_000)


@pytest.mark.parametrize("name", VARIANTS)
def test_no_undefined_value_is_written_out_in_the_words_of_a_program(name: str) -> None:
    body = next(element for element in elements(drawn(name)) if element.name == "main")
    for word in (r"\bNone\b", r"\bnan\b", r"\binf\b", r"\bNaN\b", r"\bUndefined\b", "<function"):
        assert not re.search(word, body.text), f"{word} stands in the page"


def test_a_record_without_any_rows_says_what_is_missing_instead_of_drawing_it() -> None:
    whole = example(Shape(timed=False))
    html = render(without(whole, *whole.tables))
    assert not [svg for svg in named(html, "svg") if svg.attributes.get("role") == "img"]
    for reason in ("The record holds no curve", "holds none", "No rung has both"):
        assert reason in html


def test_hostile_strings_from_anywhere_show_as_text() -> None:
    shape = Shape(label=HOSTILE, title=HOSTILE, text=HOSTILE, kind="pair", metric=f"f1:{HOSTILE}")
    record = example(shape)
    source = {"path": HOSTILE, "sha256": HOSTILE, "rows": 3}
    html = render(
        dataclasses.replace(
            record,
            data={**record.data, "name": HOSTILE, "sources": [source]},
            settings={**record.settings, HOSTILE: HOSTILE, "currency": HOSTILE},
            findings=[
                *record.findings,
                *(Finding(f"{kind}.x", HOSTILE) for kind in ("warning", "condition", "method")),
            ],
            environment={**record.environment, "cpu": HOSTILE},
        )
    )
    found = elements(html)
    assert len([element for element in found if element.name == "script"]) == 2
    assert not [element for element in found if element.name == "img"]
    assert not [name for element in found for name in element.attributes if name.startswith("on")]
    assert sum("<script>alert(1)</script>" in element.text for element in found if element.name == "bdi") > 3
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", html)


def test_data_for_the_script_cannot_end_its_element_or_open_another() -> None:
    html = render(example(Shape(title=HOSTILE)))
    block = re.search(r'<script type="application/json" id="pointers">(.*?)</script>', html, re.DOTALL)
    assert block is not None
    assert not set("<>&") & set(block[1])
    told = json.loads(block[1])
    assert any(HOSTILE in line for _, lines in told["curves"]["words"] for _, line in lines)


def test_lone_surrogates_do_not_keep_a_page_from_being_saved(tmp_path: Path) -> None:
    html = render(example(Shape(text="half a \ud83d face")))
    (tmp_path / "report.html").write_text(html, encoding="utf-8")
    assert "half a ? face" in html


def test_the_policy_lets_only_this_style_and_this_script_work(page: str) -> None:
    policy = next(meta.attributes["content"] for meta in named(page, "meta") if meta.attributes.get("http-equiv"))
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert policy.count("'sha256-") == 2
    assert not [element for element in elements(page) if "style" in element.attributes]


def test_nothing_on_the_page_points_elsewhere(page: str) -> None:
    assert not re.findall(r"(?:https?:)?//[a-z]", page)
    assert not [element for element in elements(page) if element.attributes.get("src")]
    links = [element.attributes["href"] for element in elements(page) if "href" in element.attributes]
    assert all(link.startswith(("#", "data:")) for link in links)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_table_stands_behind_every_chart(name: str) -> None:
    found = elements(drawn(name))
    figures = [place for place, element in enumerate(found) if element.name == "figure"]
    assert len(figures) == (3 if name == "no contextual rung" else 5)  # no encoder, no table of it, no gap to split
    for start, end in zip(figures, [*figures[1:], len(found)], strict=True):
        inner = [element for element in found[start:end] if "figure" in element.inside]
        charts = [element for element in inner if element.attributes.get("role") == "img"]
        tables = [element for element in inner if element.name == "table"]
        assert bool(charts) <= bool(tables)


def test_charts_are_named_described_and_reached_by_keyboard(page: str) -> None:
    found = elements(page)
    names = {element.attributes["id"]: element.text for element in found if "id" in element.attributes}
    charts = [element for element in found if element.attributes.get("role") == "img"]
    assert len(charts) == 10
    for chart in charts:
        assert names[chart.attributes["aria-labelledby"]]
        assert names[chart.attributes["aria-describedby"]]
        assert chart.attributes["tabindex"] == "0"


def test_no_two_elements_share_an_id(page: str) -> None:
    ids = [element.attributes["id"] for element in elements(page) if "id" in element.attributes]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", VARIANTS)
def test_headings_go_down_one_level_at_a_time(name: str) -> None:
    levels = [int(e.name[1]) for e in elements(drawn(name)) if re.fullmatch("h[1-6]", e.name)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))


def test_the_page_has_a_language_and_landmarks(page: str) -> None:
    assert named(page, "html")[0].attributes["lang"] == "en"
    assert {"header", "main"} <= {element.name for element in elements(page)}


def test_the_verdict_comes_first_with_its_four_figures(page: str) -> None:
    assert named(page, "h1")[0].text == "Keep TF-IDF."
    assert [tile.text for tile in named(page, "dt")] == [
        "accuracy", "texts a second", "price of a million texts", "size on disk",
    ]  # fmt: skip
    assert page.index("Keep TF-IDF.") < page.index("<svg") < page.index("How it was done")


def test_a_failed_and_a_dropped_rung_show_their_reasons_and_no_zero(page: str) -> None:
    rows = [element for element in named(page, "tr") if element.text.startswith("fastText wiki")]
    assert "the file ends before its last vector" in rows[0].text
    assert "failed" in rows[0].text
    assert "0" not in rows[0].text
    assert "MiniLM, last four layers, was dropped at 487 labels." in page


def test_what_was_not_timed_is_said_not_to_be(page: str) -> None:
    untimed = render(example(Shape(timed=False)))
    assert "not timed" in untimed
    assert "not timed" not in named(page, "dl")[0].text
    assert "size on disk (log scale)" in untimed
    assert "The decision map needs the timings" in untimed


def test_a_slice_without_two_halves_is_said_to_have_none(page: str) -> None:
    assert "too few texts in a half" in page


def test_a_record_with_a_contextual_rung_and_no_slices_says_that() -> None:
    assert "The record holds no slices." in render(without(example(), "slices"))


def test_scores_stand_in_points_for_every_metric() -> None:
    tiles = [named(render(example(Shape(kind="regression", metric="spearman"))), "dd")[0].text]
    assert re.fullmatch(r"\d\d\.\d", tiles[0])


def test_long_texts_are_folded_and_kept_whole() -> None:
    text = "a word and then another " * 60
    html = render(example(Shape(text=text)))
    folded = [element for element in named(html, "details") if element.attributes.get("class") == "long"]
    assert folded
    assert text.split() == folded[0].text[folded[0].text.index("…") + 1 :].split()


def test_a_page_is_the_same_before_and_after_its_record_is_saved(tmp_path: Path) -> None:
    record = example()
    record.save(tmp_path / "record.json")
    assert render(read(tmp_path / "record.json")) == render(record)


def test_the_page_of_an_earlier_record_without_captions_is_that_of_one_with_them() -> None:
    assert render(example()) == render(add_captions(example()))


def test_every_rung_keeps_its_colour_all_over_the_page(page: str) -> None:
    rungs = {"TF-IDF + linear": set(), "GloVe 6B 50d": set()}  # type: dict[str, set[str]]
    for element in elements(page):
        look = re.search(r"series-\d", element.attributes.get("class", ""))
        if element.name == "g" and look and element.text in rungs:
            rungs[element.text].add(look[0])
    assert all(len(looks) == 1 for looks in rungs.values())
    assert rungs["TF-IDF + linear"] != rungs["GloVe 6B 50d"]


def test_the_curves_title_names_who_leads() -> None:
    record = example(Shape(fallen=False))
    rows = [
        dict(row, extrapolated=False) for row in record.tables["curve"].rows() if row["rung"] in {"tfidf", "minilm"}
    ]
    for row in rows:
        row["score"] = 0.9 if (row["rung"] == "minilm") == (row["labels"] < 600) else 0.6
    html = render(_with_curve(record, rows))
    assert "MiniLM (frozen) leads up to 487 labels, then TF-IDF + linear" in html


def test_on_a_phone_a_wide_table_names_what_lies_to_its_right(page: str) -> None:
    ladder = next(element for element in elements(page) if "data-further" in element.attributes)
    assert "texts a second, longest wait (ms), $ a million texts, size on disk" in ladder.attributes["data-further"]
    assert "attr(data-further)" in page


def test_a_multiple_without_an_upper_end_says_so() -> None:
    record = example()
    columns = {**record.tables["ladder"].columns}
    columns["multiple_high"] = [math.inf if high else high for high in columns["multiple_high"]]
    html = render(dataclasses.replace(record, tables={**record.tables, "ladder": Table(columns, {})}))
    assert "1.4 or more" in html


def test_the_slices_title_says_what_chance_alone_would_give() -> None:
    title = next(heading.text for heading in named(drawn("two classes"), "h3") if "hard half" in heading.text)
    assert re.fullmatch(
        r"The gap to MiniLM \(fine-tuned\) is larger on the hard half in \d+ of \d+ comparisons, "
        r"in (none|\d+) of them by more than would be expected anyway( \(one in 20 is by luck\))?",
        title,
    )


def test_the_slices_table_says_how_often_won_texts_are_the_harder_and_older_records_lack_it() -> None:
    assert "0.61 (0.55 to 0.66)" in drawn("two classes")
    rows = [
        {key: value for key, value in row.items() if "rank" not in key} for row in example().tables["slices"].rows()
    ]
    older = Table.of(rows, dict.fromkeys(rows[0], ""))
    assert "harder when won" in render(dataclasses.replace(example(), tables={**example().tables, "slices": older}))


def test_the_best_rung_is_not_called_the_verdicts_where_there_is_none() -> None:
    assert "the best so far" in drawn("cannot tell")
    assert "named by the verdict" not in drawn("cannot tell")


def test_an_unbroken_lead_is_said_so() -> None:
    record = example(Shape(fallen=False))
    rows = [
        dict(row, extrapolated=False) for row in record.tables["curve"].rows() if row["rung"] in {"tfidf", "minilm"}
    ]
    for row in rows:
        row["score"] = 0.9 if row["rung"] == "tfidf" else 0.6
    assert "TF-IDF + linear leads at every number of labels" in render(_with_curve(record, rows))


def _with_curve(record: Record, rows: list[dict[str, object]]) -> Record:
    table = Table.of(rows, dict.fromkeys(rows[0], ""))
    return dataclasses.replace(record, tables={**record.tables, "curve": table})


def test_what_a_static_table_keeps_stands_beside_what_was_foretold(page: str) -> None:
    words = page.replace("\u00a0", " ").replace("\\u00a0", " ")  # in the page, and in its data
    assert "A static table keeps 81 % (62 % to 104 %) of what MiniLM (frozen) adds" in words
    assert "predicted 58 %" in words


def test_where_the_encoder_adds_nothing_no_share_of_it_is_told() -> None:
    html = drawn("cannot tell")
    assert "adds nothing that is sure" in html
    assert "A static table keeps" not in html


def test_without_a_distilled_table_the_question_is_not_asked() -> None:
    assert "Could a static table do?" not in drawn("no contextual rung")


def test_a_record_that_lacks_what_its_page_needs_is_refused() -> None:
    record = example()
    columns = {name: column for name, column in record.tables["ladder"].columns.items() if name != "family"}
    broken = {**record.tables, "ladder": Table(columns, {})}
    with pytest.raises(BadInput, match="lacks 'family'"):
        render(dataclasses.replace(record, tables=broken))


def test_warnings_stand_near_the_verdict_the_gravest_first() -> None:
    found = [Finding(f"warning.{name}", f"About {name}.") for name in ("limit", "columns", "overlap", "a", "b", "c")]
    record = example()
    html = render(dataclasses.replace(record, findings=[*(f for f in record.findings if "warn" not in f.name), *found]))
    top = html[: html.index('id="evidence"')]
    assert top.index("About overlap.") < top.index("About columns.") < top.index("About limit.")
    assert ">2 more</a>" in top


def test_the_first_line_counts_classes_and_the_rows_used_of_those_in_the_file() -> None:
    record = example()
    limit = Finding("warning.limit", "1,000 of 9,000 rows were used.", {"used": 1_000, "file_rows": 9_000})
    html = render(dataclasses.replace(record, findings=[*record.findings, limit]))
    assert "4,866 of 9,000 texts to classify · 2 classes" in html


def test_speeds_that_a_clock_cannot_tell_apart_are_not_told_apart() -> None:
    record = example(Shape(answer="contextual is worth it"))
    costs = {**record.timings["costs"], "columns": {**record.timings["costs"]["columns"]}}
    costs["columns"]["texts_per_second"] = [70.0 + place for place in range(len(costs["columns"]["rung"]))]
    html = render(dataclasses.replace(record, timings={**record.timings, "costs": costs}))
    assert "at about the same speed" in html
    assert "times its" not in html


def test_what_a_constant_costs_is_not_written_with_digits_that_mean_nothing() -> None:
    record = example()
    costs = {**record.timings["costs"], "columns": {**record.timings["costs"]["columns"]}}
    count = len(costs["columns"]["rung"])
    costs["columns"] |= {"texts_per_second": [1.3e8] * count, "price_per_million": [2.1e-7] * count}
    html = render(dataclasses.replace(record, timings={**record.timings, "costs": costs}))
    assert "over 1,000,000" in html
    assert "under $0.001" in html
    assert "130,000,000" not in html


def test_only_the_two_rungs_that_the_answer_is_about_have_bands(page: str) -> None:
    bands = re.findall(r'class="band series-\d', page)
    assert len(bands) == 2 * 2  # on a wide page and on a phone
    assert "those of the others are in the numbers and under the pointer" in page


def test_the_map_speaks_with_the_verdicts_voice_where_context_is_worth_it() -> None:
    record = example(Shape(answer="contextual is worth it"))
    found = record.timings["decision"]
    rungs = [["minilm-finetuned"] * len(row) for row in found["rung"]]
    sure = {**found, "rung": rungs, "uncertain": [[False] * len(row) for row in rungs]}
    html = render(dataclasses.replace(record, timings={**record.timings, "decision": sure}))
    assert "With 3,893 labels, context is worth it at any volume: MiniLM (fine-tuned)" in html


@pytest.mark.parametrize(("long", "words"), [(7, "7 texts are longer than"), (1, "1 text is longer than")])
def test_of_texts_past_the_window_it_is_said_which_encoder_reads_them_whole(long: int, words: str) -> None:
    record = example()
    html = render(dataclasses.replace(record, data={**record.data, "windowed": long}))
    assert (
        f"{words} the encoder&#39;s window: a frozen encoder reads such a text whole, in overlapping windows." in html
    )
    assert "nothing was cut" not in html


def test_a_rung_below_guessing_is_told_first_under_before_you_trust_it() -> None:
    others = [Finding(f"warning.{name}", f"About {name}.") for name in ("limit", "a", "b", "c", "d")]
    below = Finding("warning.below_guessing", "GloVe (30.0) scores less than always saying “yes” (60.0).")
    record = example()
    html = render(dataclasses.replace(record, findings=[*record.findings, *others, below]))
    cautions = html[html.index("Before you trust it") :].partition("</div>")[0]
    assert cautions.index("scores less than always saying") < cautions.index("About limit.")


def test_a_rung_that_cut_texts_is_among_the_cautions() -> None:
    cut = Finding("warning.cut.minilm-finetuned", "MiniLM (fine-tuned) reads at most 64 tokens of a text.", {"cut": 3})
    record = example()
    html = render(dataclasses.replace(record, findings=[*record.findings, cut]))
    assert cut.text in html[: html.index('id="evidence"')]


def test_a_multiple_that_is_never_reached_has_no_interval() -> None:
    record = example()
    rows = [dict(row, state="never", multiple=math.inf, low=math.inf, high=math.inf)
            for row in record.tables["multiples"].rows()]  # fmt: skip
    table = Table.of(rows, dict.fromkeys(rows[0], ""))
    html = render(dataclasses.replace(record, tables={**record.tables, "multiples": table}))
    assert "∞" not in html
    assert "surely flattens out below" in html


def test_a_table_whose_columns_differ_in_length_is_refused_in_a_line() -> None:
    record = example(Shape())
    ladder = record.tables["ladder"]
    torn = Table({**ladder.columns, "score": ladder.columns["score"][:-1]}, ladder.describe)
    with pytest.raises(BadInput, match=r"columns of unequal length: .*make the record again"):
        render(dataclasses.replace(record, tables={**record.tables, "ladder": torn}))
