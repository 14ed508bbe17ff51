"""What the study computes beside its landscape: the confusion of both classifiers of patterns counts every map."""

from wordworth.measures.attention_patterns import PATTERNS


def counts(record, maps, classifier):
    rows = [row for row in record.tables["confusion"].rows() if (row["maps"], row["classifier"]) == (maps, classifier)]
    return {(row["pattern"], row["answer"]): row["count"] for row in rows}


def test_the_rules_tell_all_synthetic_maps_and_both_see_as_many(record):
    rules = counts(record, "synthetic", "rules")
    assert rules == {(name, name): 100 for name in PATTERNS}
    assert sum(counts(record, "synthetic", "network").values()) == 500
    for classifier in ("rules", "network"):
        assert sum(counts(record, "mixtures", classifier).values()) == 200


def test_the_second_run_is_scored_too(record):
    assert 0 <= record.data["score"] <= 1
    assert abs(record.data["second_change"]) <= 1
