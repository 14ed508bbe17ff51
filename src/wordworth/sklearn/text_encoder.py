"""`TextEncoder`: a scikit-learn transformer from texts to the features of a rung.

A rung is a model that `worth` compares: a text representation with its classifier, such as TF-IDF or frozen MiniLM.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack, issparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.decomposition import TruncatedSVD
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.validation import check_is_fitted

from wordworth.errors import BadInput, NotFound, nearest
from wordworth.models.cpu_inference import DtypeOption, require_dtype
from wordworth.models.zero_vector_warning import count_zeros, notify_of_zeros
from wordworth.representations.feature_blocks import Blocks, Features
from wordworth.representations.rung import RunContext
from wordworth.representations.rung_by_name import absolute
from wordworth.representations.static_vectors import Static
from wordworth.representations.tfidf import Tfidf
from wordworth.sklearn.fitted_representation import fit_representation, text_vectors
from wordworth.sklearn.parameters import RandomState, require_components, seed_of
from wordworth.sklearn.text_column import ReadsTexts, require_texts_to_learn
from wordworth.text.windows import LongTexts, require_long_texts

Matrix: TypeAlias = NDArray[np.float32] | csr_matrix


class TextEncoder(ReadsTexts, TransformerMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A transformer of one column of texts into the features of a text representation.

        TextEncoder("minilm").fit_transform(["a quiet film", "a loud one"])  # float32 [2, 384]

    Models are loaded from this machine alone. An encoder's vectors are cached by content on disk and in memory, so that
    a grid search computes each text once. A pickle holds what `fit` learned, the name of the model and a hash of its
    files, not its weights; these are loaded again when they are needed.

    Args:
        rung: name of the representation in the study `worth`: `tfidf`, `random`, `glove`, `wordllama`, `minilm`,
            another name of the catalogue, or the folder of an encoder or of a static table; also `tfidf+minilm`, and
            `minilm-static`, a table distilled from the texts.
        view: which of the representation's sets of features, as `views_` names them. None takes the first: an encoder's
            sentence vector, the mean of static vectors, or the words and character n-grams of TF-IDF.
        n_components: number of columns to which a truncated SVD reduces the features; None for all features. There are
            fewer columns if there are fewer texts or features.
        long_texts: how an encoder reads a text longer than its window: `window`, `cut` or `error`.
        dtype: dtype of an encoder's computation, as in `wordworth.load`; the features are float32 in any case.
        random_state: seed of everything that is random: a whole number, a `numpy.random.RandomState`, or None for
            another seed in every fit.

    Attributes:
        views_: names of the representation's views (sets of features of the same texts).
        view_: name of the view that was used.
        feature_names_in_: the name of the column, if it had one.
    """

    __single_column_transformer__ = True  # skrub: give it one column, not a table of one

    def __init__(
        self,
        rung: str = "tfidf",
        *,
        view: str | None = None,
        n_components: int | None = None,
        long_texts: LongTexts = "window",
        dtype: DtypeOption = "float32",
        random_state: RandomState = 0,
    ) -> None:
        self.rung = rung
        self.view = view
        self.n_components = n_components
        self.long_texts = long_texts
        self.dtype = dtype
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> TextEncoder:  # noqa: ANN401, N803 - scikit-learn's names and types
        """Learn what the text representation learns from texts.

        `tfidf` learns a vocabulary; a pretrained model learns nothing.

        Args:
            X: a list, array or column of texts.
            y: not used.

        Raises:
            BadInput: there is no such representation or no such view of it, `X` is not a column of texts, or
                `set_output` asks for a table while the features are sparse.
        """
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Matrix:  # noqa: ANN401, ARG002, N803 - as `fit`
        """Fit on texts, and return the features of the same texts as `transform` does.

        Args:
            X: a list, array or column of texts.
            y: not used.
        """
        require_components(self.n_components)
        require_long_texts(self.long_texts)
        require_dtype(self.dtype)
        seed = seed_of(self.random_state)
        texts = self._texts_of(X, reset=True)
        require_texts_to_learn(texts)
        run_context = RunContext(seed=seed, long_texts=self.long_texts, dtype=self.dtype)
        self.fitted_ = fit_representation(absolute(self.rung), texts, run_context)
        self.views_ = tuple(self.fitted_.views(texts[:1], self.long_texts))
        self.view_ = self._chosen_view()
        features = self._features(texts)
        self.svd_ = self._svd(features, seed)
        if self.svd_ is not None:
            with np.errstate(divide="ignore", invalid="ignore"):  # texts that are all alike have no variance to explain
                features = self.svd_.fit_transform(features).astype(np.float32)
        self._n_features_out = features.shape[1]
        return self._checked(features)

    def transform(self, X: Any) -> Matrix:  # noqa: ANN401, N803 - as `fit`
        """Return the features of texts, float32 [texts, features]; for TF-IDF this is a sparse matrix.

        Args:
            X: a list, array or column of texts.
        """
        check_is_fitted(self, "fitted_")
        features = self._features(self._texts_of(X, reset=False))
        return self._checked(features) if self.svd_ is None else self.svd_.transform(features).astype(np.float32)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:  # noqa: ANN401, ARG002 - scikit-learn's
        """Return the names of the features, an object array [features].

        With TF-IDF and no `n_components` the names are the n-grams. Otherwise each name is the name of the column, or
        of the representation if the column has no name, followed by `_` and the feature's number from 0.

        Args:
            input_features: not used; the parameter is scikit-learn's.
        """
        check_is_fitted(self, "fitted_")
        representation = self.fitted_.open()
        if isinstance(representation, Tfidf) and self.svd_ is None:
            return np.array(_ngrams(representation, self.view_), dtype=object)
        prefix = getattr(self, "feature_names_in_", [str(self.rung).rstrip("/").rpartition("/")[2]])[0]
        return np.array([f"{prefix}_{number}" for number in range(self._n_features_out)], dtype=object)

    def _chosen_view(self) -> str:
        view = self.views_[0] if self.view is None else self.view
        if view not in self.views_:
            raise NotFound(f"the rung {self.rung!r} has no view {view!r}", mend=nearest(str(view), self.views_))
        return view

    def _features(self, texts: tuple[str, ...]) -> Matrix:
        features = _matrix(text_vectors(self.fitted_, self.view_, texts, self.long_texts))
        if isinstance(table := self.fitted_.open(), Static):
            notify_of_zeros(table.name, count_zeros(np.asarray(features)), len(texts))
        return features

    def _checked(self, features: Matrix) -> Matrix:
        """Return the features unchanged.

        Raises:
            BadInput: the features are sparse, and `set_output` asks for a table, which has dense columns.
        """
        container = _get_output_config("transform", self)["dense"]
        if issparse(features) and container != "default":
            what = f"the features of {self.rung!r} are sparse, and a table of {container} has dense columns"
            mend = "give n_components, such as 100, which reduces them, or set_output(transform='default')"
            raise BadInput(what, mend=mend)
        return features

    def _svd(self, features: Matrix, seed: int) -> TruncatedSVD | None:
        """Return the dimensionality reduction, not fitted yet; None if every feature is kept."""
        if self.n_components is None:
            return None
        count = min(self.n_components, *features.shape)
        return TruncatedSVD(count, random_state=seed)

    def __sklearn_tags__(self) -> Any:  # noqa: ANN401 - scikit-learn has no types
        """Return scikit-learn's tags, which declare that the estimator reads texts."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []  # float32, whatever holds the texts
        return tags


def _matrix(features: Features) -> Matrix:
    """Return features as one matrix: dense if all parts are, else sparse."""
    if not isinstance(features, Blocks):
        return features
    if all(isinstance(part, np.ndarray) for part in features.parts):
        return features.toarray()
    scaled = [part * np.float32(factor) for part, factor in zip(features.parts, features.factors, strict=True)]
    return csr_matrix(hstack([csr_matrix(part) for part in scaled], format="csr"), dtype=np.float32)


def _ngrams(representation: Tfidf, view: str) -> list[str]:
    """Return the n-gram of each feature of a view; in the view `both` each begins with `words:` or `characters:`."""

    def of_part(part: str) -> list[str]:
        return representation.counts[part].ngrams_at(representation.idf_weights[part].columns)

    if view != "both":
        return of_part(view)
    return [f"{part}:{ngram}" for part in ("words", "characters") for ngram in of_part(part)]
