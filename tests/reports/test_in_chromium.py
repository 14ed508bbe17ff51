"""The page in a real browser: nothing fails, nothing leaves it, and it answers a pointer, a key and a switch."""

from __future__ import annotations

from pathlib import Path

import context_record
import pytest
from chromium import Tab, complaints, installed, requests
from example_record import Shape, example

from wordworth import report
from wordworth.reports import render

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
]
HOSTILE = "<script>document.title='caught'</script><img src=x onerror=\"document.title='caught'\">"


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(render(example()), encoding="utf-8")
    return path


@pytest.fixture(params=[example, context_record.example], ids=["worth", "context"])
def any_page(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(render(request.param()), encoding="utf-8")
    return path


def middle(tab: Tab, name: str, size: str = "wide") -> tuple[float, float]:
    """The window's pixels of a chart's middle, scrolled into view."""
    chart = f"document.querySelector('[data-chart={name}] svg.{size}')"
    tab.value(f"{chart}.scrollIntoView({{block: 'center'}})")
    box = tab.value(f"(() => {{ const r = {chart}.getBoundingClientRect(); return [r.x, r.y, r.width, r.height] }})()")
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def tip(tab: Tab, name: str) -> str:
    """What the chart's tip says; nothing while it is hidden."""
    element = f"document.querySelector('[data-chart={name}] .tip')"
    return str(tab.value(f"{element}.hidden ? '' : {element}.innerText"))


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_opens_without_a_complaint_a_request_or_a_scroll_bar_across(
    tab: Tab, any_page: Path, width: int, theme: str
) -> None:
    tab.open(any_page, width=width, theme=theme)
    assert complaints(tab) == []
    assert requests(tab) in ([any_page.as_uri()], [any_page.as_uri(), "data:,"])
    assert tab.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", ["curves", "decision", "cost", "slices"])
def test_pointing_at_a_chart_shows_its_numbers(tab: Tab, page: Path, name: str) -> None:
    tab.open(page)
    assert tip(tab, name) == ""
    tab.hover(*middle(tab, name))
    assert any(letter.isdigit() for letter in tip(tab, name))
    tab.hover(1, 1)
    assert tip(tab, name) == ""


def test_pointing_at_a_size_shows_the_scores_of_the_table(tab: Tab, page: Path) -> None:
    tab.open(page)
    tab.hover(*middle(tab, "curves"))
    shown = tip(tab, "curves").splitlines()
    labels = shown[0].split()[0]
    cells = "[...row.cells].map(cell => cell.textContent.trim())"
    table = tab.value(f"[...document.querySelectorAll('[data-chart=curves] tbody tr')].map(row => {cells})")
    rows = {row[0]: row for row in table if row[1] == labels}
    assert len(rows) == len(shown) - 1
    for line in shown[1:]:
        assert line in {f"{row[0]} {row[2]} ({row[3]})" for row in rows.values()}


def test_arrow_keys_go_through_a_chart(tab: Tab, page: Path) -> None:
    tab.open(page)
    tab.value("document.querySelector('[data-chart=curves] svg.wide').focus()")
    tab.press("ArrowRight")
    first = tip(tab, "curves")
    tab.press("ArrowRight")
    assert first.startswith("30 labels")
    assert tip(tab, "curves").startswith("61 labels")
    tab.press("Escape")
    assert tip(tab, "curves") == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_switch_changes_the_colours_and_changes_them_back(tab: Tab, page: Path, theme: str) -> None:
    tab.open(page, theme=theme)
    colour = "getComputedStyle(document.body).backgroundColor"
    before = tab.value(colour)
    tab.value("document.getElementById('theme').click()")
    after = tab.value(colour)
    tab.value("document.getElementById('theme').click()")
    assert {before, after} == {"rgb(255, 255, 255)", "rgb(21, 23, 26)"}
    assert tab.value(colour) == before


def test_the_ladder_sorts_by_any_column_with_empty_cells_last(tab: Tab, page: Path) -> None:
    tab.open(page)
    scores = (
        "[...document.querySelectorAll('[aria-labelledby=ladder] tbody')[0].rows].map(r => r.cells[1].dataset.sort)"
    )
    head = "document.querySelectorAll('[aria-labelledby=ladder] thead button')[1].click()"
    tab.value(head)
    up = tab.value(scores)
    tab.value(head)
    down = tab.value(scores)
    assert up[-2:] == down[-2:] == ["", ""]
    assert [float(score) for score in up[:-2]] == sorted(float(score) for score in up[:-2])
    assert down[:-2] == up[:-2][::-1]


def test_on_a_phone_the_ladder_scrolls_in_its_frame_and_keeps_its_first_column(tab: Tab, page: Path) -> None:
    tab.open(page, width=390)
    frame = "document.querySelector('[aria-labelledby=ladder] .frame')"
    tab.value(f"{frame}.scrollLeft = 300")
    assert tab.value(f"{frame}.scrollLeft") == 300
    assert tab.value(f"{frame}.querySelector('tbody th').getBoundingClientRect().x") == pytest.approx(16, abs=1)


def test_hostile_text_does_not_run(tab: Tab, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(example(Shape(text=HOSTILE, title=HOSTILE, label=HOSTILE))), encoding="utf-8")
    tab.open(path)
    tab.hover(*middle(tab, "curves"))
    assert tab.value("document.title") != "caught"
    assert complaints(tab) == []
    assert tip(tab, "curves").count("<script>") > 3


def test_a_foreign_script_in_the_page_is_refused(tab: Tab, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    planted = "<script>document.title='caught'</script></body>"
    path.write_text(render(example()).replace("</body>", planted), encoding="utf-8")
    tab.open(path)
    assert tab.value("document.title") != "caught"


def test_everything_is_reached_by_the_tab_key(tab: Tab, page: Path) -> None:
    tab.open(page)
    seen = set()
    for _ in range(60):
        tab.press("Tab")
        seen.add(
            tab.value("(e => e.closest('[data-chart]')?.dataset.chart || e.id || e.tagName)(document.activeElement)")
        )
    assert {"theme", "curves", "decision", "cost", "slices", "SUMMARY", "BUTTON"} <= seen


def test_a_table_wider_than_a_phone_says_so_until_it_was_moved_to_its_end(tab: Tab, page: Path) -> None:
    tab.open(page, width=390)
    frame = "document.querySelector('section[aria-labelledby=ladder] .frame')"
    assert "more" in tab.value(f"{frame}.className")
    tab.value(f"{frame}.scrollLeft = 9999")
    tab.value("new Promise(done => setTimeout(done, 200))")
    tab.value(f"{frame}.dispatchEvent(new Event('scroll'))")
    assert "more" not in tab.value(f"{frame}.className")


@pytest.mark.parametrize("width", [1280, 390])
def test_no_name_or_axis_title_runs_off_a_chart(tab: Tab, any_page: Path, width: int) -> None:
    tab.open(any_page, width=width)
    off = tab.value(
        "[...document.querySelectorAll('.drawing > svg')].filter(svg => svg.getBoundingClientRect().width)"
        ".flatMap(svg => [...svg.querySelectorAll('text')].filter(text => {"
        "const t = text.getBoundingClientRect(), s = svg.getBoundingClientRect();"
        "return t.left < s.left - 2 || t.right > s.right + 2 }).map(text => text.textContent))"
    )
    assert off == []


@pytest.mark.parametrize(("height", "shown"), [(1000, 720), (600, 480)])
def test_in_a_notebook_the_page_scrolls_in_a_box_and_leaves_the_rest_alone(
    tab: Tab, tmp_path: Path, height: int, shown: int
) -> None:
    style = "body{font:14px serif;background:rgb(9,9,9)} h1{color:rgb(0,128,0)} table{border:1px solid red}"
    cells = "<h1>Mine</h1><table><tr><td>1</td></tr></table>"
    notebook = tmp_path / "notebook.html"
    bare, output = f"<!doctype html><style>{style}</style>{cells}", f"<div>{report(example())._repr_html_()}</div>"
    looks = (
        "[...document.querySelectorAll('body,h1,table,td')].map(e => { const s = getComputedStyle(e);"
        "return [s.font, s.color, s.backgroundColor, s.border, s.width] })"
    )
    notebook.write_text(bare, encoding="utf-8")
    tab.open(notebook, height=height)
    alone = tab.value(looks)
    notebook.write_text(bare + output, encoding="utf-8")
    tab.open(notebook, height=height)
    assert complaints(tab) == []
    assert tab.value(looks) == alone
    assert tab.value("document.querySelector('iframe').getBoundingClientRect().height") == shown
    assert tab.value("document.documentElement.scrollWidth") <= 1280


def test_a_hyphen_of_an_abbreviation_ends_no_line_of_a_title(tab: Tab, page: Path) -> None:
    broken = (
        "[...document.querySelectorAll('h1,h3')].filter(title => { const text = title.firstChild, range ="
        "document.createRange(), at = text.data.search(/TF-/); if (at < 0) return false; range.setStart(text, at);"
        "range.setEnd(text, text.data.indexOf('IDF') + 3); return range.getClientRects().length > 1 }).length"
    )
    for width in range(700, 1300, 20):
        tab.open(page, width=width)
        assert tab.value(broken) == 0, width


def test_on_paper_no_table_is_cut_off(tab: Tab, any_page: Path) -> None:
    """The page of A4 has 718 pixels between Chromium's margins."""
    tab.open(any_page, width=718)
    tab.send("Emulation.setEmulatedMedia", media="print")
    cut = tab.value(
        "[...document.querySelectorAll('.frame')].filter(frame => !frame.closest('details:not([open])') && "
        "(frame.scrollWidth > frame.clientWidth || getComputedStyle(frame).maskImage !== 'none' || "
        "getComputedStyle(frame, '::before').content !== 'none' && "
        "getComputedStyle(frame, '::before').display !== 'none')).map(frame => frame.ariaLabel)"
    )
    tab.send("Emulation.setEmulatedMedia", media="screen")
    assert cut == []
