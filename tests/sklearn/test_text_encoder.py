import pickle
import socket
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from sklearn import config_context
from wordworth.errors import BadInput
from wordworth.models.load import load
from wordworth.representations.rung import RunContext
from wordworth.representations.tfidf import Tfidf
from wordworth.sklearn import TextEncoder
from wordworth.tasks.task import Examples

pytestmark = pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")
TEXTS = ["the film was good", "a dreadful book", "we really was quite bored", ""]
NEW = ["a lovely song", "the film was good"]


@pytest.fixture
def rungs(tiny_folder, table_file):
    return ["tfidf", "random", tiny_folder, table_file, f"tfidf+{tiny_folder}"]


def dense(matrix):
    return matrix.toarray() if issparse(matrix) else matrix


def test_every_rung_gives_a_row_of_float32_for_every_text_without_a_network(rungs, monkeypatch):
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("the network was used"))
    for rung in rungs:
        encoder = TextEncoder(rung)
        first, again = encoder.fit_transform(TEXTS), encoder.transform(TEXTS)
        assert first.dtype == np.float32
        assert len(first.shape) == 2
        assert first.shape[0] == len(TEXTS)
        assert np.array_equal(dense(first), dense(again))
        assert len(set(encoder.get_feature_names_out())) == first.shape[1]
        assert encoder.transform([]).shape == (0, first.shape[1])


def test_the_features_are_those_of_the_models_and_of_the_ladder(tiny_folder, table_file):
    assert np.allclose(TextEncoder(tiny_folder).fit_transform(TEXTS), load(tiny_folder).encode(TEXTS), atol=1e-6)
    assert np.array_equal(TextEncoder(table_file).fit_transform(TEXTS), load(table_file).encode(TEXTS))
    ladder = Tfidf().fit(Examples(tuple(TEXTS)))
    views = ladder.views(Examples(tuple(NEW)), RunContext())
    for view in ("both", "words", "characters"):
        ours = TextEncoder("tfidf", view=view).fit(TEXTS).transform(NEW)
        expected = views[view].toarray()
        assert np.allclose(ours.toarray(), expected)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "auto"])
def test_an_encoder_computes_in_the_dtype_that_is_named(dtype, tiny_folder):
    model = load(tiny_folder, dtype=dtype)
    features = TextEncoder(tiny_folder, dtype=dtype).fit_transform(TEXTS)
    assert features.dtype == np.float32
    assert np.allclose(features, model.encode(TEXTS), atol=1e-6)
    kept = pickle.loads(pickle.dumps(TextEncoder(tiny_folder, dtype=dtype).fit(TEXTS)))  # noqa: S301 - our own
    assert kept.fitted_.open().encoder.dtype == model.dtype


def test_float32_is_the_dtype_as_in_load_and_a_word_that_is_none_is_refused(tiny_folder):
    assert TextEncoder(tiny_folder).fit(TEXTS).fitted_.open().encoder.dtype == load(tiny_folder).dtype == "float32"
    with pytest.raises(BadInput, match="no dtype 'float23'; did you mean 'float32'"):
        TextEncoder(tiny_folder, dtype="float23").fit(TEXTS)


def test_tfidf_learns_its_vocabulary_from_the_texts_of_the_fit_alone():
    encoder = TextEncoder("tfidf", view="words").fit(["good film", "bad film"])
    assert sorted(encoder.get_feature_names_out()) == ["bad", "bad film", "film", "good", "good film"]
    assert encoder.transform(["unknown words"]).nnz == 0
    both = TextEncoder("tfidf").fit(["good film"]).get_feature_names_out()
    assert {"words:film", "characters:fi"} <= set(both)


def test_dense_columns_are_named_after_the_column_or_the_rung(table_file):
    encoder = TextEncoder(table_file)
    assert list(encoder.fit(pd.Series(TEXTS, name="title")).get_feature_names_out()) == [
        "title_0",
        "title_1",
        "title_2",
    ]
    assert list(encoder.fit(TEXTS).get_feature_names_out()) == ["table.txt_0", "table.txt_1", "table.txt_2"]
    frame = encoder.set_output(transform="pandas").fit_transform(pd.Series(TEXTS, name="title", index=[3, 1, 4, 0]))
    assert list(frame.columns) == ["title_0", "title_1", "title_2"]
    assert list(frame.index) == [3, 1, 4, 0]


def test_the_name_of_the_column_is_kept_and_another_is_refused():
    table = pd.DataFrame({"title": TEXTS})
    pipeline = make_pipeline(TextEncoder("tfidf"))
    assert pipeline.fit(table).feature_names_in_.tolist() == ["title"]
    assert TextEncoder("tfidf").fit(table["title"]).feature_names_in_.tolist() == ["title"]
    encoder = TextEncoder("tfidf").fit(table)
    assert encoder.transform(TEXTS).shape == encoder.transform(pd.Series(TEXTS, name="other")).shape
    with pytest.raises(BadInput, match="the column is named 'other', and this was fitted on 'title'; name it 'title'"):
        encoder.transform(table.rename(columns={"title": "other"}))
    assert not hasattr(encoder.fit(TEXTS), "feature_names_in_")


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_a_table_of_sparse_columns_is_refused_with_what_makes_it_dense(container, table_file):
    pytest.importorskip(container)
    encoder = TextEncoder("tfidf").set_output(transform=container)
    with pytest.raises(BadInput, match=r"sparse.*n_components.*set_output\(transform='default'\)"):
        encoder.fit_transform(TEXTS)
    with pytest.raises(BadInput, match="n_components"):
        TextEncoder("tfidf").fit(TEXTS).set_output(transform=container).transform(TEXTS)
    with config_context(transform_output=container), pytest.raises(BadInput, match="n_components"):
        TextEncoder("tfidf").fit_transform(TEXTS)
    assert encoder.set_params(n_components=2).fit_transform(TEXTS).shape == (4, 2)
    assert encoder.set_params(rung=table_file).fit_transform(TEXTS).shape == (4, 2)
    assert issparse(
        encoder.set_params(rung="tfidf", n_components=None).set_output(transform="default").fit_transform(TEXTS)
    )


def test_components_make_any_rung_dense_and_narrow(rungs):
    for rung in rungs:
        encoder = TextEncoder(rung, n_components=2).fit(TEXTS)
        reduced = encoder.transform(NEW)
        assert (type(reduced), reduced.shape, reduced.dtype) == (np.ndarray, (2, 2), np.float32)
    assert TextEncoder("tfidf", n_components=100).fit_transform(TEXTS).shape == (4, 4)


def test_random_vectors_follow_the_seed():
    first, same, other = (TextEncoder("random", random_state=seed).fit_transform(TEXTS) for seed in (0, 0, 1))
    assert np.array_equal(first, same)
    assert not np.allclose(first, other)


def test_a_clone_has_the_same_settings_and_set_params_changes_them(tiny_folder):
    encoder = TextEncoder(tiny_folder, view="layers", n_components=3, long_texts="cut", random_state=4)
    assert clone(encoder).get_params() == encoder.get_params()
    assert set(encoder.get_params()) == {"rung", "view", "n_components", "long_texts", "dtype", "random_state"}
    wide = clone(encoder).set_params(n_components=None).fit_transform(TEXTS)
    assert wide.shape == (4, 3 * 32)


def test_it_works_in_a_pipeline_a_column_transformer_and_a_grid_over_rungs(tiny_folder, table_file, labelled):
    texts, labels = labelled
    table = pd.DataFrame({"review": texts, "stars": [len(text) for text in texts]})
    columns = ColumnTransformer([("text", TextEncoder(), "review"), ("number", StandardScaler(), ["stars"])])
    pipeline = Pipeline([("columns", columns), ("model", LogisticRegression(C=10, max_iter=3000))])
    search = GridSearchCV(pipeline, {"columns__text__rung": ["tfidf", "random", table_file, tiny_folder]}, cv=2)
    search.fit(table, labels)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > 0.4  # of three classes
    assert search.predict(table[:3])[0] in set(labels)
    names = search.best_estimator_["columns"].get_feature_names_out()
    assert names[-1] == "number__stars"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rung": "tfidff"}, "did you mean|available|no model"),
        ({"rung": ""}, "is no name of a rung"),
        ({"rung": 3}, "is no name of a rung"),
        ({"rung": "./nowhere"}, "nowhere"),
        ({"rung": "majority"}, "gives no features of texts"),
        ({"view": "sentence"}, "has no view 'sentence'"),
    ],
)
def test_settings_that_mean_nothing_are_refused_by_fit(settings, message):
    encoder = TextEncoder(**settings)
    with pytest.raises(BadInput, match=message):
        encoder.fit(TEXTS)


def test_a_fine_tuned_rung_is_no_transformer(tiny_folder):
    with pytest.raises(BadInput, match="gives no features of texts; use it as TextClassifier"):
        TextEncoder(f"{tiny_folder}-finetuned").fit(TEXTS)


def test_a_rung_may_be_a_path(tiny_folder):
    as_text, as_path = TextEncoder(str(tiny_folder)), TextEncoder(Path(tiny_folder))
    assert np.array_equal(as_path.fit_transform(TEXTS), as_text.fit_transform(TEXTS))
    assert as_path.get_feature_names_out()[0] == as_text.get_feature_names_out()[0]
