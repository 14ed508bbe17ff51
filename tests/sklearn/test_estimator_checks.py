"""scikit-learn's own checks.

They give rows of numbers, so that of an estimator that reads texts, scikit-learn's own included, they check only that
it can be cloned; all of them are run on the same estimators behind a reader that writes numbers as texts.
"""

import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import check_estimator, parametrize_with_checks
from tests.sklearn.numbers_as_texts import NumbersClassifier, NumbersEncoder, NumbersRegressor

from wordworth.sklearn import TextClassifier, TextEncoder, TextRegressor

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.DataConversionWarning")
EXPECTED_FAILURES: dict[str, str] = {}
"""Check -> reason; none is needed. scikit-learn itself skips `check_array_api_input` without SCIPY_ARRAY_API=1."""


@pytest.mark.parametrize("estimator", [TextEncoder(), TextClassifier(), TextRegressor()])
def test_the_checks_say_of_them_what_they_say_of_scikit_learns_text_estimators(estimator):
    with pytest.warns(SkipTestWarning):
        theirs = check_estimator(CountVectorizer())
    with pytest.warns(SkipTestWarning):
        ours = check_estimator(estimator)
    assert [(check["check_name"], check["status"]) for check in ours] == [
        (check["check_name"], check["status"]) for check in theirs
    ]
    tags, their_tags = get_tags(estimator).input_tags, get_tags(CountVectorizer()).input_tags
    assert (tags.string, tags.two_d_array) == (their_tags.string, their_tags.two_d_array) == (True, False)


@parametrize_with_checks(
    [NumbersEncoder(), NumbersEncoder(n_components=3)], expected_failed_checks=lambda _: EXPECTED_FAILURES
)
def test_the_transformer_passes_every_check_of_transformers(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([NumbersClassifier(), NumbersRegressor()], expected_failed_checks=lambda _: EXPECTED_FAILURES)
def test_classifier_and_regressor_pass_every_check_of_their_kind(estimator, check):
    check(estimator)
