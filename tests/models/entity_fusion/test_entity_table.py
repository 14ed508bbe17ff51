"""Any table of vectors with identifiers is read; one that does not fit them is one clear error."""

import numpy as np
import pytest
from tests.models.entity_fusion.fused import ENTITIES, write_table

from wordworth.errors import BadInput
from wordworth.models.entity_fusion.entity_table import read_entity_table


def test_a_folder_of_kg_train_is_read(tmp_path):
    table = read_entity_table(write_table(tmp_path / "kg"))
    assert table.ids == ENTITIES
    assert table.vectors.shape == (5, 8)


def test_an_npy_with_bare_identifiers_beside_it_is_read(tmp_path):
    np.save(tmp_path / "mine.npy", np.ones((2, 3)))
    (tmp_path / "mine.txt").write_text("a\nb\n")
    table = read_entity_table(tmp_path / "mine.npy")
    assert table.ids == ("a", "b")
    assert table.vectors.dtype == np.float32


def test_vectors_are_scaled_to_a_mean_square_of_one_and_keep_their_directions(tmp_path):
    table = read_entity_table(write_table(tmp_path / "kg"))
    scaled = table.scaled()
    assert np.square(scaled).mean() == pytest.approx(1, abs=1e-5)
    ratios = scaled / table.vectors
    assert np.allclose(ratios, ratios[0, 0])


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("id\tname\nQ1\ta\n", "1 identifier, but entities.npy has 5 vectors"),
        ("Q1\nQ2\nQ3\nQ1\nQ5\n", "'Q1' stands here twice, first in line 1"),
        ("id\nQ1\n\nQ3\nQ4\nQ5\n", "a line without an identifier"),
        ("id\nQ1\nQ2\nQ|]]\nQ4\nQ5\n", r"entities\.tsv, line 4: 'Q\|\]\]' has a character of links"),
        (
            "ident\tname\nQ1\ta\nQ2\tb\nQ3\tc\nQ4\td\nQ5\te\n",
            r"entities\.tsv, line 1: column 'id' not found, and one line more than there are vectors \(5\)",
        ),
    ],
)
def test_identifiers_that_do_not_fit_the_vectors_are_one_clear_error(tmp_path, ids, message):
    folder = write_table(tmp_path / "kg")
    (folder / "entities.tsv").write_text(ids)
    with pytest.raises(BadInput, match=message):
        read_entity_table(folder)


def test_what_is_missing_or_no_number_is_named(tmp_path):
    with pytest.raises(BadInput, match="no vectors of entities here"):
        read_entity_table(tmp_path)
    folder = write_table(tmp_path / "kg")
    vectors = np.load(folder / "entities.npy")
    vectors[2, 1] = np.nan
    np.save(folder / "entities.npy", vectors)
    with pytest.raises(BadInput, match="the vector of 'Q3' has a value that is not finite"):
        read_entity_table(folder)
    (folder / "entities.tsv").unlink()
    with pytest.raises(BadInput, match="no file of identifiers"):
        read_entity_table(folder)
