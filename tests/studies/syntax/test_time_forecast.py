"""The forecast of the study: seconds for each of its steps, more for more sentences."""

from tests.studies.syntax.small_treebank import conllu

from wordworth.models.pruning import load_with_heads
from wordworth.studies.syntax.sampled_trees import read_sample
from wordworth.studies.syntax.settings import SyntaxSettings
from wordworth.studies.syntax.time_forecast import ATTENTION, PARSERS, PROBES, VECTORS, forecast


def test_every_step_has_seconds_and_what_is_done_twice_as_often_twice_as_many(tmp_path, monkeypatch):
    monkeypatch.setattr("wordworth.studies.syntax.time_forecast.seconds_of", lambda work: (work(), 1.0)[1])
    path, encoder = tmp_path / "small.conllu", load_with_heads("mini")
    path.write_text(conllu(160), encoding="utf-8")
    few, many = (
        forecast(encoder, read_sample(encoder, SyntaxSettings(treebank=path, limit=limit)), 8) for limit in (20, 40)
    )
    assert few.keys() == {ATTENTION, VECTORS, PROBES, PARSERS}
    assert min(few.values()) > 0
    assert many[ATTENTION] == 2 * few[ATTENTION]
    assert many[PARSERS] > 1.5 * few[PARSERS]
    assert many[PROBES] > 1.5 * few[PROBES]
