import pickle
import shutil

import numpy as np
import pytest
from scipy.sparse import issparse

from wordworth.errors import BadInput
from wordworth.representations.feature_blocks import Blocks
from wordworth.representations.rung import RunContext
from wordworth.representations.shared_encoder import load_encoder
from wordworth.sklearn import TextEncoder, fitted_representation

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")


TEXTS = ["the film was good", "a dreadful book", "we really was quite bored", ""]


NEW = ["a lovely song", "the film was good"]


@pytest.fixture
def rungs(tiny_folder, table_file):
    return ["tfidf", "random", tiny_folder, table_file, f"tfidf+{tiny_folder}"]


def dense(matrix):
    return matrix.toarray() if issparse(matrix) or isinstance(matrix, Blocks) else matrix


def test_a_pickle_holds_what_was_learned_and_no_weights(rungs):
    for rung in rungs:
        encoder = TextEncoder(rung).fit(TEXTS)
        kept = pickle.dumps(encoder)
        assert (
            len(kept) < 12_000
        )  # the tiny encoder's weights alone are 60 KB, GloVe's and the random table's megabytes
        restored = pickle.loads(kept)  # noqa: S301 - our own
        assert np.array_equal(dense(restored.transform(NEW)), dense(encoder.transform(NEW)))


def test_a_pickle_finds_a_folder_from_any_directory(tiny_folder, tmp_path, monkeypatch):
    shutil.copytree(tiny_folder, tmp_path / "here" / "model")
    monkeypatch.chdir(tmp_path / "here")
    encoder = TextEncoder("./model").fit(TEXTS)
    expected, kept = encoder.transform(NEW), pickle.dumps(encoder)
    monkeypatch.chdir(tmp_path)
    fitted_representation.pretrained.cache_clear()
    assert np.array_equal(pickle.loads(kept).transform(NEW), expected)  # noqa: S301 - our own


@pytest.mark.parametrize("changed", ["model.safetensors", "vocab.txt"])
def test_a_pickle_refuses_a_model_that_is_not_the_one_it_was_fitted_with(changed, tiny_folder, tmp_path):
    folder = tmp_path / "model"
    shutil.copytree(tiny_folder, folder)
    kept = pickle.dumps(TextEncoder(str(folder)).fit(TEXTS))
    content = bytearray((folder / changed).read_bytes())
    content[-2] ^= 1
    (folder / changed).write_bytes(content)
    fitted_representation.pretrained.cache_clear()
    load_encoder.cache_clear()
    with pytest.raises(BadInput, match="not those that this was fitted with; fit it again"):
        pickle.loads(kept).transform(NEW)  # noqa: S301 - our own


def test_a_table_distilled_from_the_texts_works_and_is_not_pickled(tiny_folder, labelled):
    encoder = TextEncoder(f"{tiny_folder}-static").fit(labelled[0])
    assert encoder.transform(NEW).shape[0] == 2
    with pytest.raises(BadInput, match="weights are not pickled; write the table with `wordworth to-static`"):
        pickle.dumps(encoder)


def test_a_representation_that_learns_has_no_key_of_a_model_and_a_pretrained_one_has_its_files(tiny_folder):
    run_context = RunContext()
    learned = fitted_representation.fit_representation("tfidf", tuple(TEXTS), run_context)
    pretrained = fitted_representation.fit_representation(tiny_folder, tuple(TEXTS), run_context)
    assert (learned.key, pretrained.learned) == ("", None)
    assert pretrained.key


def test_an_opened_representation_and_a_pickled_one_give_the_same_features(rungs):
    for rung in rungs:
        fitted = fitted_representation.fit_representation(rung, tuple(TEXTS), RunContext())
        again = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - our own
        for view, features in fitted.views(tuple(NEW), "window").items():
            assert np.array_equal(dense(features), dense(again.views(tuple(NEW), "window")[view])), (rung, view)


def test_one_view_of_an_encoder_is_the_same_through_the_memory(tiny_folder):
    fitted = fitted_representation.fit_representation(tiny_folder, tuple(TEXTS), RunContext())
    for view, features in fitted.views(tuple(NEW), "window").items():
        vectors = fitted_representation.text_vectors(fitted, view, tuple(NEW), "window")
        assert np.allclose(vectors, np.asarray(features), atol=1e-6)


def test_a_rung_with_no_features_of_texts_is_refused(tiny_folder):
    with pytest.raises(BadInput, match="no features of texts"):
        fitted_representation.fit_representation(f"{tiny_folder}-finetuned", tuple(TEXTS), RunContext())
