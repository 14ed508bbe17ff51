"""Short names of tables."""

from hypothesis import given
from hypothesis import strategies as st

from wordworth.studies.word_benchmarks.ranking import labels

PARTS = st.sampled_from(["a", "b", "static", "run"])
PATHS = st.lists(st.lists(PARTS, min_size=1, max_size=4).map("/".join), min_size=1, max_size=5, unique=True)


@given(PATHS)
def test_no_two_tables_share_a_label_and_each_is_the_end_of_its_name(names):
    short = labels(names)
    assert len(set(short.values())) == len(names)
    assert all(name.endswith(label) for name, label in short.items())


def test_a_label_is_the_last_part_where_that_will_do():
    assert labels(["/run/one/glove.txt", "minilm"]) == {"/run/one/glove.txt": "glove.txt", "minilm": "minilm"}
    assert labels(["/run/one/static", "/run/two/static"]) == {
        "/run/one/static": "one/static",
        "/run/two/static": "two/static",
    }
