"""Whether the changes of heads were compared with those between two seeds."""

import pytest

from wordworth.records import Record, Table
from wordworth.reports.finetuning_changes.record_view import has_second_seed
from wordworth.reports.record_view import RecordView


@pytest.mark.parametrize(("sure", "known"), [(None, False), (False, True), (True, True)])
def test_a_second_seed_decides_whether_changes_of_heads_are_sure(sure, known):
    heads = Table.of([{"layer": 1, "head": 1, "sure": sure}], {"layer": "", "head": "", "sure": ""})
    assert has_second_seed(RecordView.of(Record("finetuning", {}, {}, {"heads": heads}, []))) is known
