"""gensim 4.4.0 gives the same Spearman correlation and analogy accuracy to four decimals, on GloVe 6B 50d."""

import itertools

import numpy as np
import pytest
from tests.tasks.datasets.data_folder import needs

from wordworth.models.static.read_static_table import read_static
from wordworth.studies.word_benchmarks import words

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore")]
MOST = 20_000
FILES = {"simlex": "SIMLEX-999", "ws353": "WS-353-ALL", "men": "MEN-TR-3k", "rw": "RW-STANFORD", "rg65": "RG-65"}


@pytest.fixture(scope="module")
def peer():
    keyed = pytest.importorskip("gensim.models.keyedvectors")
    table = read_static("glove")
    found = keyed.KeyedVectors(table.width)
    found.add_vectors(list(table.lexicon.rows)[:MOST], table.gather(np.arange(MOST)))
    return found


@pytest.mark.parametrize("name", FILES)
def test_similarity_sets_give_gensims_correlation_over_the_pairs_it_keeps(peer, name):
    folder = needs("wordsets")
    record = words("glove", data=folder, sets=(name,), draws=100, most=MOST)
    (ours,) = [row for row in record.tables["scores"].rows() if row["policy"] == "drop"]
    file = folder / "sim" / f"EN-{FILES[name]}.txt"
    _, theirs, without = peer.evaluate_word_pairs(str(file), restrict_vocab=MOST)
    assert ours["score"] == pytest.approx(theirs.statistic, abs=5e-5)
    assert 100 * (1 - ours["items"] / ours["of"]) == pytest.approx(without)


def test_analogies_give_gensims_accuracy_over_the_questions_it_keeps(peer, tmp_path):
    """Every twentieth question, for gensim answers them one by one."""
    with (needs("wordsets") / "analogy" / "questions-words.txt").open() as file:
        asked = [line for line in file if not line.startswith(":")]
    place = tmp_path / "analogy" / "questions-words.txt"
    place.parent.mkdir()
    place.write_text(": all\n" + "".join(itertools.islice(asked, 0, None, 20)))
    record = words("glove", data=tmp_path, sets=("google",), draws=100, most=MOST)
    (ours,) = [row for row in record.tables["scores"].rows() if row["policy"] == "drop"]
    theirs, sections = peer.evaluate_word_analogies(str(place), restrict_vocab=MOST)
    assert ours["items"] == sum(len(sections[-1][part]) for part in ("correct", "incorrect")) > 200
    assert ours["score"] == pytest.approx(theirs, abs=5e-5)
