"""A recipe that was stopped goes on from the rows of its record, and from nothing else."""

import pytest

from parts.kept_rows import kept_rows
from wordworth.errors import BadInput


def test_the_rows_of_a_record_are_kept(tmp_path):
    out = tmp_path / "record.json"
    assert kept_rows(out, "sets") == []
    out.write_text('{"sets": [{"set": "mr"}]}')
    assert kept_rows(out, "sets") == [{"set": "mr"}]


@pytest.mark.parametrize("text", ["[]", '{"rows": []}', "not JSON"])
def test_another_file_is_refused(text, tmp_path):
    out = tmp_path / "record.json"
    out.write_text(text)
    with pytest.raises(BadInput, match=r"record\.json: no record of this recipe: it has no 'sets'; give another `out`"):
        kept_rows(out, "sets")
