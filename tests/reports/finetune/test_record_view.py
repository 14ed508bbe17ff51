import pytest
from tests.reports.finetune_record import record, run, table

from wordworth.reports import render


def test_seeds_that_score_alike_are_said_to():
    assert "All seeds score 70.0" in render(record(tables={"runs": table(run(0), run(1, test=0.7))}))


def test_collapsed_and_failed_runs_are_counted_not_hidden():
    runs = table(run(0), run(1, "collapsed"), run(2, "failed", test=None, dev=None, reason="loss nan"))
    page = render(record(tables={"runs": runs}))
    for words in ("1 of 3 runs learned nothing", "2 collapsed or failed", "loss nan"):
        assert words in page


@pytest.mark.parametrize(("first", "last", "said"), [
    (0.65, 0.8, "highest at the end"),
    (0.8, 0.65, "highest at the first evaluation, after epoch 1.5"),
    (0.514, 0.513, "hardly moves"),
])  # fmt: skip
def test_the_learning_curve_is_titled_by_where_it_goes(first, last, said):
    evaluations = [
        {**look, "dev": first if look["epoch"] < 2 else last} for look in record().tables["evaluations"].rows()
    ]
    page = render(record(tables={"evaluations": table(*evaluations)}))
    assert f"The mean dev score is {said}" in page or f"The mean dev score {said}" in page
