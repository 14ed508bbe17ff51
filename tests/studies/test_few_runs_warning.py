"""One run and two are warned of, three are not."""

from wordworth.studies.few_runs_warning import few_runs_warning


def test_one_run_and_two_are_warned_of_in_their_own_words():
    one, two = few_runs_warning(1), few_runs_warning(2)
    assert one is not None
    assert "nothing of the spread over seeds" in one.text
    assert two is not None
    assert "Two runs" in two.text
    assert few_runs_warning(3) is None
