"""Prices carry the sign that the user gave."""

from dataclasses import asdict, replace

import pytest
from tests.reports.elements import elements
from tests.reports.example_record import Shape, example

from wordworth.errors import BadInput
from wordworth.reports import render
from wordworth.studies.worth.settings import WorthSettings


def drawn(settings: WorthSettings) -> str:
    record = example(Shape())
    html = render(replace(record, settings={**record.settings, **asdict(settings)}))
    return next(element for element in elements(html) if element.name == "main").text


def test_prices_are_in_dollars_unless_another_sign_is_given():
    assert "at $0.10 an hour" in drawn(WorthSettings())
    euros = drawn(WorthSettings(currency="€"))
    assert "at €0.10 an hour" in euros
    assert "$" not in euros


@pytest.mark.parametrize("currency", ["", "dollars"])
def test_a_sign_that_is_none_is_refused(currency):
    with pytest.raises(BadInput, match=r"`currency` .*is out of range; give one to four characters"):
        WorthSettings(currency=currency)


def test_the_command_takes_a_sign(tmp_path):
    from tests.cli.terminal import wordworth

    rows = "".join(f"text {row},{'ab'[row % 2]}\n" for row in range(60))
    (tmp_path / "a.csv").write_text(f"text,label\n{rows}")
    shown = wordworth("worth", tmp_path / "a.csv", "--currency", "dollars")
    assert (shown.code, "--currency dollars is out of range" in shown.err) == (2, True)
