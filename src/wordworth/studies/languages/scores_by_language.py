"""Scores of models that learn from one language and are tested on another: taggers, parsers and span heads alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol, TypeAlias, TypeVar

from numpy.typing import ArrayLike

from wordworth.progress import Step
from wordworth.studies.languages.bootstrap_interval_columns import Value, value_columns
from wordworth.studies.languages.correct_by_training_language import MODEL, SHUFFLED
from wordworth.studies.languages.tables import transfer_rows
from wordworth.studies.study_result_cache import Arrays, FinishedParts
from wordworth.tasks.examples import Origin

Measures: TypeAlias = Mapping[str, Value]
"""Name of a measure, such as `las` -> its value; all of one test part, on the same bootstrap resamples."""
Inputs_contra = TypeVar("Inputs_contra", contravariant=True)


class LanguageData(Protocol):
    """Training and test items (sentences, questions) in several languages."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the languages, the source language first."""
        ...

    @property
    def origins(self) -> tuple[Origin, ...]:
        """The files that were read."""
        ...

    def part(self, language: int, *, test: bool) -> Sized:
        """Return the test items of a language if `test` is True, else its training items.

        Args:
            language: index of the language in `languages`.
            test: True for the test items.
        """
        ...


@dataclass(frozen=True)
class ScoresByLanguage:
    """The scores of all systems, by training language and test language; an implementation of `TransferScores`.

    Attributes:
        data: the items of all languages.
        values: (system, index of the training language, index of the test language) -> the measures.
        constants: for each test language the measures of a baseline that predicts without features
            (`Learner.constant`).
        main_measure: name of the measure by which systems are compared, such as `las`.
    """

    data: LanguageData
    values: Mapping[tuple[str, int, int], Measures]
    constants: Sequence[Measures]
    main_measure: str

    @property
    def languages(self) -> tuple[str, ...]:
        """The names of the languages, the source language first."""
        return self.data.languages

    def size(self, language: int, *, test: bool) -> int:
        """Return the number of a language's test items if `test` is True, else of its training items.

        Args:
            language: index of the language in `languages`.
            test: True for the test items.
        """
        return len(self.data.part(language, test=test))

    def accuracy(self, system: str, train: int, test: int) -> Value:
        """Return a system's `main_measure` on a language's test items, and its value in each bootstrap resample.

        Args:
            system: name of the system.
            train: index of the training language in `languages`.
            test: index of the test language in `languages`.
        """
        return self.values[system, train, test][self.main_measure]

    def constant_score(self, test: int) -> Value:
        """Return the `main_measure` of the baseline without features, and its value in each bootstrap resample.

        Args:
            test: index of the test language.
        """
        return self.constants[test][self.main_measure]

    def rows(self, further: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Yield a row for each pair of a training language and a test language, with the model's measures.

        Args:
            further: names of the measures that have columns in addition to the `main_measure`.
        """
        index = {name: number for number, name in enumerate(self.languages)}
        for row in transfer_rows(self):
            measures = self.values[MODEL, index[row["train"]], index[row["test"]]]
            columns = [value_columns(measures[name], name) for name in further]
            yield {**row, **{key: value for each in columns for key, value in each.items()}}


class Learner(Protocol[Inputs_contra]):
    """A method for one kind of data: it trains on one language, and predicts the test items of other languages.

    Attributes:
        name: name of what is trained, such as `parser`, for keys of the cache.
        title: title of the progress step.
    """

    name: str
    title: str

    def amount(self, train: int) -> int:
        """Return the amount of work in one training on a language, by which the progress step advances.

        The unit is the method's choice, such as sentences read.

        Args:
            train: index of the training language.
        """
        ...

    def predictions(
        self, inputs: Inputs_contra, train: int, tested: Sequence[int], step: Step, *, shuffled: bool
    ) -> Mapping[str, ArrayLike]:
        """Train on a language, and return what is predicted for the test items of other languages, as named arrays.

        Args:
            inputs: the vectors or features of the items of all languages.
            train: index of the training language.
            tested: indices of the languages whose test items are predicted.
            step: progress step, which this call advances by `amount(train)` in all.
            shuffled: whether the training labels are randomly permuted or moved, as a control.
        """
        ...

    def measures(self, predictions: Arrays, test: int) -> Measures:
        """Return the measures of what was predicted for a language's test items.

        Args:
            predictions: the arrays that `predictions` returned.
            test: index of the test language.
        """
        ...

    def constant(self, test: int) -> Measures:
        """Return the measures of a baseline without features on a language's test items.

        For tags, such a baseline gives each word its most frequent tag.

        Args:
            test: index of the test language.
        """
        ...


def scores_by_language(
    systems: Mapping[str, Inputs_contra],
    learner: Learner[Inputs_contra],
    data: LanguageData,
    main_measure: str,
    finished: FinishedParts,
) -> ScoresByLanguage:
    """Train every system on every language, predict the test items and score the predictions.

    The model is tested on all languages, whichever language it learned from. Another system is tested on all languages
    if it learned from the source language, else only on its training language. The control with shuffled labels is
    tested only on its training language.

    Args:
        systems: name of a system -> the vectors or features of the items.
        learner: trains and scores.
        data: the items of all languages.
        main_measure: name of the measure by which systems are compared, such as `las`.
        finished: cache with the predictions that an earlier call has computed.
    """
    languages = range(len(data.languages))
    pairs = [(system, train) for system in (*systems, SHUFFLED) for train in languages]
    amounts = [learner.amount(train) for train in languages]
    values: dict[tuple[str, int, int], Measures] = {}
    with finished.progress.step(learner.title, sum(amounts[train] for _, train in pairs)) as step:
        for system, train in pairs:
            tested = _tested_languages(system, train, len(languages))
            inputs = systems.get(system, systems[MODEL])
            compute = partial(learner.predictions, inputs, train, tested, step, shuffled=system == SHUFFLED)
            part = finished.arrays((learner.name, system, train), compute, step, amounts[train])
            values |= {(system, train, test): learner.measures(part, test) for test in tested}
    return ScoresByLanguage(data, values, [learner.constant(test) for test in languages], main_measure)


def _tested_languages(system: str, train: int, languages: int) -> Sequence[int]:
    """Return the indices of the languages on which a system is tested after it has learned from one language.

    The model, and every system that learned from the source language, is tested on all languages. Other systems, and
    always the control with shuffled labels, are tested only on the language that they learned from.

    Args:
        system: name of the system.
        train: index of the training language; the source language has 0.
        languages: number of languages.
    """
    everywhere = system == MODEL or (train == 0 and system != SHUFFLED)
    return range(languages) if everywhere else [train]
