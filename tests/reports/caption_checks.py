"""What must hold of the captions of every kind of record: a test runs each of `CAPTION_CHECKS` on its record."""

import html
import re
from collections.abc import Callable
from dataclasses import replace

from changed import without_captions

from wordworth.records import Finding, Record
from wordworth.reports import render
from wordworth.reports.captions import Caption, caption_of, with_captions
from wordworth.reports.record_view import RecordView


def charts(page: str) -> dict[str, str]:
    """The title and the text of each chart of a page, by its name."""
    figures = re.findall(r'<figure class="chart" data-chart="([^"]+)">(.*?)</figure>', page, re.DOTALL)
    bare = {name: re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]*>", " ", figure))) for name, figure in figures}
    return {name: text.replace("\u00a0", " ") for name, text in bare.items()}


def captions(record: Record) -> dict[str, Caption]:
    """Every caption that a record holds, those that depend on the clock included, by the name of its chart."""
    view = RecordView.of(record)
    names = [finding.name.removeprefix("caption.") for finding in record.findings if is_caption(finding)]
    return {name: caption_of(view, name) for name in (*names, *record.timings.get("captions", {}))}


def sentences(record: Record, chart: str) -> str:
    """The title and the notes of a chart, or why it is absent, as its kind writes them of this record."""
    caption = captions(with_captions(record))[chart]
    return " ".join((caption.title, *caption.notes, caption.absent))


def is_caption(finding: Finding) -> bool:
    return finding.name.startswith("caption.")


def holds_the_sentences_of_every_chart(record: Record) -> None:
    texts, held = charts(render(record)), captions(with_captions(record))
    assert held.keys() == texts.keys()
    for name, caption in held.items():
        for sentence in (caption.title, *caption.notes, caption.absent):
            assert sentence in texts[name], name


def has_the_same_page_without_them(record: Record) -> None:
    assert render(without_captions(record)) == render(with_captions(record))


def has_a_page_that_writes_none_of_its_own(record: Record) -> None:
    record = with_captions(record)

    def other(finding: Finding) -> Finding:
        numbers = {**finding.numbers, "notes": [f"Note of {finding.name}"]}
        return replace(finding, text=f"Title of {finding.name}", numbers=numbers)

    timed = {
        name: {**caption, "title": f"Title of caption.{name}", "notes": [f"Note of caption.{name}"]}
        for name, caption in record.timings.get("captions", {}).items()
    }
    findings = [other(finding) if is_caption(finding) else finding for finding in record.findings]
    timings = {**record.timings, "captions": timed} if timed else record.timings
    held = captions(record)
    for name, text in charts(render(replace(record, findings=findings, timings=timings))).items():
        assert f"Title of caption.{name}" in text
        assert f"Note of caption.{name}" in text or held[name].absent


def gets_a_lost_one_again(record: Record) -> None:
    record = with_captions(record)
    first = next(finding for finding in record.findings if is_caption(finding))
    others = [finding for finding in record.findings if finding is not first]
    assert render(replace(record, findings=others)) == render(record)


CAPTION_CHECKS: tuple[Callable[[Record], None], ...] = (
    holds_the_sentences_of_every_chart,
    has_the_same_page_without_them,
    has_a_page_that_writes_none_of_its_own,
    gets_a_lost_one_again,
)
