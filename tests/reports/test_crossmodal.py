"""The page of a study of words and codes: scores, and sounds that play without a network; all escaped."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS
from tests.studies.crossmodal.conftest import crossmodal_study  # noqa: F401 - a fixture

from wordworth.records import Table
from wordworth.reports import render


def with_examples(record, **change):
    examples = record.tables["examples"]
    rows = [{**row, **change} for row in examples.rows()]
    return replace(record, tables={**record.tables, "examples": Table.of(rows, examples.describe)})


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_charts(crossmodal_study, check):  # noqa: F811
    check(crossmodal_study[1])


def test_scores_folds_and_sounds_are_on_the_page(crossmodal_study):  # noqa: F811
    page = render(crossmodal_study[1])
    for words in ("trained on shuffled pairs", "Who trains, validates and tests", "word from codes, top 1"):
        assert words in page
    assert page.count("<audio controls") == 6
    assert page.count('src="data:audio/wav;base64,') == 6
    assert "media-src data:" in page
    assert "http" not in page.split("</style>")[1].split("<script")[0].replace("http://www.w3.org", "")


def test_without_sounds_there_are_captions_alone(crossmodal_study):  # noqa: F811
    page = render(with_examples(crossmodal_study[1], sound=""))
    assert "<audio" not in page
    assert "nearest sequences of some captions" in page
    none = replace(
        crossmodal_study[1],
        tables={
            **crossmodal_study[1].tables,
            "examples": Table.of([], crossmodal_study[1].tables["examples"].describe),
        },
    )
    assert "nearest sequences of some captions" not in render(none)


def test_captions_and_groups_are_escaped(crossmodal_study):  # noqa: F811
    words = dict.fromkeys(("caption", "own_caption", "group"), "<img src=x>")
    assert "<img src=x>" not in render(with_examples(crossmodal_study[1], **words))


@pytest.mark.parametrize("sound", ['" onerror="x', "UklGRg==", "A" * 100_000])
def test_what_is_no_sound_is_refused(crossmodal_study, sound):  # noqa: F811
    with pytest.raises(ValueError, match=r"sound|base64|Only"):
        render(with_examples(crossmodal_study[1], sound=sound))


def test_each_group_has_a_line_for_each_measure(crossmodal_study):  # noqa: F811
    table = render(crossmodal_study[1]).split("Group by group</caption>")[1].split("</table>")[0]
    assert table.count("<tr>") == 1 + 6 * 5


def test_shares_are_in_percent_and_differences_in_points_everywhere(crossmodal_study):  # noqa: F811
    record = crossmodal_study[1]
    page, alignment = render(record).replace("\xa0", " "), record.tables["scores"].rows()[0]["value"]
    assert f"Alignment: {100 * alignment:.1f} % right" in page
    assert f"{100 * alignment:.1f} %" in str(record.finding("verdict").numbers["headline"])
    assert "share right" not in page


def test_validation_groups_have_a_table_of_their_own_unless_the_record_has_none(crossmodal_study):  # noqa: F811
    record, title = crossmodal_study[1], "Validation groups, to choose settings by</caption>"
    table = render(record).split(title)[1].split("</table>")[0]
    assert table.count("<tr>") == 1 + 3 * 4
    tables = {name: own for name, own in record.tables.items() if name != "validation"}
    assert title not in render(replace(record, tables=tables))
