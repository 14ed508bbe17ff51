"""Requests that schemathesis makes of our OpenAPI description: every answer is one that the description has."""

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from tests.inference.test_rung_predictor import in_folder
from tests.serving.real_server import real_server
from tests.serving.served import tiny_encoder

schemathesis = pytest.importorskip("schemathesis")
pytestmark = [pytest.mark.peers, pytest.mark.slow]
EXAMPLES, PATIENCE = 30, 120
"""Requests of each kind, and seconds that a client waits, as other tests may keep the machine busy."""
PREDICTIONS = {"/predict", "/rerank"}


@pytest.mark.parametrize("predicts", [False, True])
def test_every_answer_is_in_the_description(predicts, tmp_path):
    in_folder(tmp_path) if predicts else tiny_encoder(tmp_path)
    with real_server(tmp_path) as server:
        schema = schemathesis.openapi.from_url(f"{server.address}/openapi.json")
        operations = [each.ok() for each in schema.get_all_operations()]
        assert len(operations) > 10
        for operation in operations:  # what another kind of model answers is refused with 424, whatever is sent
            if operation.method == "get" or (operation.path in PREDICTIONS) == predicts:
                _ask(operation)
        assert httpx.get(f"{server.address}/health").status_code == 200


def _ask(operation):
    """Send requests that fit the description and, where there is a body, ones that do not."""
    from schemathesis import GenerationMode
    from schemathesis.specs.openapi.checks import positive_data_acceptance as depends_on_the_model

    for mode in [GenerationMode.POSITIVE, *[GenerationMode.NEGATIVE] * (operation.method == "post")]:

        @given(case=operation.as_strategy(generation_mode=mode))
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            derandomize=True,
            phases=[Phase.generate],
        )
        def ask(case):
            case.call_and_validate(excluded_checks=[depends_on_the_model], timeout=PATIENCE)

        ask()
