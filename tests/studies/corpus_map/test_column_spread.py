"""How the values of a column spread over clusters."""

import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.studies.corpus_map.column_spread import MOST_VALUES, column_spread, require_few_values


def test_values_are_counted_in_each_cluster_the_most_frequent_first():
    spread = column_spread("lang", ["de", "en", "en", "en", ""], np.array([0, 1, 1, 0, 1]), 0)
    assert spread.values == ("en", "", "de")
    assert spread.table.tolist() == [[1, 2], [0, 1], [1, 0]]
    assert [spread.values[number] for number in spread.of_text] == ["de", "en", "en", "en", ""]


def test_a_column_that_determines_clusters_shares_all_information_and_a_random_one_none():
    clusters = np.arange(200) % 4
    assert column_spread("c", [str(each) for each in clusters], clusters, 0).information.value == pytest.approx(1)
    drawn = [str(each) for each in np.random.default_rng(0).integers(3, size=200)]
    assert column_spread("c", drawn, clusters, 0).information.p > 0.05


def test_a_column_of_too_many_values_is_refused():
    cells = [str(number) for number in range(MOST_VALUES + 1)]
    require_few_values("id", cells[:-1], "index")
    with pytest.raises(BadInput, match="column “id” has 201 different values; give `colour` a column of at most 200"):
        require_few_values("id", cells, "index")
