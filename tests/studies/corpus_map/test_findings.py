"""The findings on a map."""

from dataclasses import replace

import numpy as np
import pytest

from wordworth.measures.normalised_mutual_information import SharedInformation
from wordworth.retrieval.index import Index
from wordworth.studies.corpus_map.cluster_assignment import Assignment
from wordworth.studies.corpus_map.cluster_count import Agreement, ClusterCount
from wordworth.studies.corpus_map.column_spread import ColumnSpread
from wordworth.studies.corpus_map.findings import findings
from wordworth.studies.corpus_map.projection import TextMap
from wordworth.studies.corpus_map.settings import MapSettings
from wordworth.studies.corpus_map.tables import CorpusMap


@pytest.fixture
def found(topics) -> CorpusMap:
    """A map of a hundred texts in two clusters, of which one is small."""
    clusters = np.array([0] * 95 + [1] * 5)
    count = ClusterCount(2, (Agreement(2, 0.9, 0.8, 1.0, 0.3, 0.1, 0.4), Agreement(3, 0.5, 0.4, 0.6, 0.3, 0, 1)), 0.05)
    assignment = Assignment(np.arange(100), clusters, np.full(100, 0.5), np.ones((2, 3), np.float32))
    drawn = TextMap(np.arange(50), np.zeros((50, 2)), 0.5, 10)
    return CorpusMap(Index.open(topics[0] / "index"), count, assignment, [["a"], []], drawn, None, 100)


def names(found: CorpusMap) -> set[str]:
    return {each.name for each in findings(found, MapSettings()) if each.name.startswith("warning")}


def text(found: CorpusMap, settings: MapSettings = MapSettings(), name: str = "verdict") -> str:  # noqa: B008 - frozen
    return next(each.text for each in findings(found, settings) if each.name == name)


def test_clusters_are_there_where_one_cloud_in_twenty_at_most_agrees_as_much(found):
    assert findings(found, MapSettings())[0].numbers["headline"] == "2 clusters in 100 texts."
    assert "agree at 0.90 (0.80 to 1.00 in 5 splits" in text(found)
    assert "2 is the one" in text(found)
    none = replace(found, count=replace(found.count, p=0.1))
    assert findings(none, MapSettings())[0].numbers["headline"] == "No clusters."
    assert "The number 2 was given" in text(found, MapSettings(clusters=2))


def test_what_could_mislead_is_a_warning(found):
    assert names(found) == {"warning.small"}
    loose = ClusterCount(3, found.count.agreements, 0.05)
    assert names(replace(found, count=loose)) == {"warning.small", "warning.loose"}
    assert names(replace(found, map=replace(found.map, kept_share=0.2))) == {"warning.small", "warning.poor_map"}
    zeros = replace(found.assignment, cosines=np.array([0.0] + [0.5] * 99))
    assert "1 text has a vector of zeros" in text(replace(found, assignment=zeros), name="warning.zero")


@pytest.mark.parametrize(("p", "words"), [(0.005, ": more than chance"), (0.2, ": no more than chance")])
def test_a_column_is_judged_by_permutations(found, p, words):
    information = SharedInformation(0.3, 0.01, 0.02, p)
    spread = ColumnSpread("lang", ("en", "de"), np.zeros(100, np.int64), np.ones((2, 2), np.int64), information)
    assert words in text(replace(found, column=spread), name="column")
    assert "All texts have the same" in text(replace(found, column=replace(spread, values=("en",))), name="column")


def test_the_condition_is_named(found):
    assert "that pass lang = 'en'" in text(found, MapSettings(where="lang = 'en'"), "method.clusters")
