from tests.studies.languages.translation_retrieval.test_tables import made  # noqa: F401 - a fixture

from wordworth.records import Table
from wordworth.studies.languages.translation_retrieval.findings import method, verdict, warnings
from wordworth.studies.languages.translation_retrieval.tables import LANGUAGES, language_rows


def test_the_verdict_says_the_layer_the_share_and_where_the_model_is_ahead(made):  # noqa: F811
    rows = [{**row, "unknown": 0.3 * number} for number, row in enumerate(language_rows(made))]
    tables = {"languages": Table.of(rows, LANGUAGES)}
    finding = verdict("tiny", tables, made)
    assert finding.text.startswith("Layer 1, centred by language, chosen on training pairs, retrieves 5")
    assert "in 1 of 2 languages (aa)" in finding.text
    assert finding.numbers["aligned"] == ["aa"]
    assert finding.numbers["retrieved_low"] < finding.numbers["retrieved"] < finding.numbers["retrieved_high"]
    assert [each.name for each in warnings(tables)] == ["warning.unknown_pieces.bb"]
    assert next(iter(method(made))).name == "method.retrieval"
