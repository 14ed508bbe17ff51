"""A model or a file that is not there is refused by name; what was not given is not checked."""

import pytest

from wordworth.cli.require_inputs import require_inputs
from wordworth.errors import BadInput


@pytest.mark.parametrize("choices", [{"model": "no/such"}, {"data": "no.csv"}, {"model": "mini", "data": "no.csv"}])
def test_what_is_given_and_not_there_is_refused(tmp_path, monkeypatch, choices):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match=r"no/such|no\.csv"):
        require_inputs(choices)


def test_what_is_there_or_not_given_passes(tmp_path):
    (tmp_path / "rows.csv").write_text("text,label\n", encoding="utf-8")
    require_inputs({"model": "mini", "data": str(tmp_path / "rows.csv"), "label": "label"})
    require_inputs({})
