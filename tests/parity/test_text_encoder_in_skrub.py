"""`TextEncoder` is the encoder of text columns in skrub's `TableVectorizer`, for tables of pandas and of polars."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from wordworth.models.static.read_static_table import read_static
from wordworth.sklearn import TextEncoder

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")]
skrub = pytest.importorskip("skrub", reason="skrub is not installed")
polars = pytest.importorskip("polars", reason="polars is not installed")

WORDS = (
    ("quiet", "loud", "dull", "bright"),
    ("film", "play", "book"),
    ("of love", "of war", "of joy"),
    ("now", "again"),
)
TEXTS = [" ".join(parts) for parts in product(*WORDS)]
COLUMNS = {"review": TEXTS, "stars": list(range(len(TEXTS))), "place": ["Rome", "Oslo"] * (len(TEXTS) // 2)}


@pytest.mark.parametrize("table", [pd.DataFrame(COLUMNS), polars.DataFrame(COLUMNS)], ids=["pandas", "polars"])
def test_a_text_column_becomes_the_columns_of_a_rung(table):
    vectorizer = skrub.TableVectorizer(high_cardinality=TextEncoder("glove"))
    made = vectorizer.fit_transform(table)
    assert type(made) is type(table)
    names = [f"review_{number}" for number in range(50)]
    assert [name for name in made.columns if name.startswith("review")] == names
    assert np.array_equal(made[names].to_numpy(), read_static("glove").encode(TEXTS))
    assert np.array_equal(vectorizer.transform(table[:5])[names].to_numpy(), made[names][:5].to_numpy())


def test_components_make_the_n_grams_of_tfidf_fit_into_a_table():
    vectorizer = skrub.TableVectorizer(high_cardinality=TextEncoder("tfidf", n_components=5))
    made = vectorizer.fit_transform(pd.DataFrame(COLUMNS))
    assert [name for name in made.columns if name.startswith("review")] == [f"review_{number}" for number in range(5)]


def test_a_grid_reaches_the_rung_inside_the_vectorizer():
    model = make_pipeline(
        skrub.TableVectorizer(cardinality_threshold=5, high_cardinality=TextEncoder("glove", n_components=3)), Ridge()
    )
    rungs = {"tablevectorizer__high_cardinality__rung": ["tfidf", "glove"]}
    search = GridSearchCV(model, rungs, cv=2).fit(pd.DataFrame(COLUMNS), [len(text) for text in TEXTS])
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_a_column_of_polars_is_read_as_a_list_is():
    column = polars.Series("review", [*TEXTS, None])
    ours = TextEncoder("glove").fit(column)
    assert np.array_equal(ours.transform(column), ours.transform([*TEXTS, ""]))
    assert list(ours.get_feature_names_out())[:2] == ["review_0", "review_1"]
