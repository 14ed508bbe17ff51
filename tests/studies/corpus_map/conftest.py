"""A map of texts of four topics and one of texts without any, each made once."""

import pytest
from tests.studies.corpus_map.topics import HOSTILE, index_of, rows

import wordworth as ww
from wordworth.studies.corpus_map import cluster_count


@pytest.fixture(scope="session", autouse=True)
def few_numbers():
    """Fewer numbers of clusters are tried, for speed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cluster_count, "NUMBERS", (2, 3, 4, 6, 8))
        yield


@pytest.fixture(scope="session")
def topics(tmp_path_factory):
    """A folder with an index of texts of four topics, and their map; the first text holds HTML."""
    folder = tmp_path_factory.mktemp("topics")
    texts = rows(200)
    texts[0]["text"] = HOSTILE
    index = index_of(folder, texts)
    return folder, ww.map_index(index, folder / "map", colour="topic", points=120)


@pytest.fixture(scope="session")
def noise(tmp_path_factory):
    """The map of texts whose words are drawn at random."""
    folder = tmp_path_factory.mktemp("noise")
    return ww.map_index(index_of(folder, rows(200, mixed=True), distance=3.0), points=50)
