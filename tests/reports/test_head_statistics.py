"""Statistics of heads are written with their units, in sentences and in maps."""

from wordworth.records import Finding, Record
from wordworth.reports.head_statistics import HEAD_STATISTICS, head_map
from wordworth.reports.record_view import RecordView


def test_shares_are_written_in_percent_and_entropies_in_nats():
    assert [HEAD_STATISTICS[name].amount(0.25) for name in ("special", "entropy")] == ["25 %", "0.2 nats"]


def test_a_map_has_a_square_for_each_head_with_its_value():
    findings = [Finding("caption.special", "Most in head 2", {"notes": [], "absent": ""})]
    view = RecordView.of(Record("any", {}, {}, {}, findings))
    figure = head_map(view, "special", HEAD_STATISTICS["special"], {(1, 1): 0.25, (1, 2): 0.5})
    assert figure.text == "Attention to special tokens by layer and head. Most in head 2."
    assert all(f">{share}<" in figure.drawings[0].svg for share in ("25", "50"))
    assert "in percent" in figure.drawings[0].svg
