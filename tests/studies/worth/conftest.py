"""No test of the study waits for a clock."""

import pytest

from wordworth.studies.worth import running_costs


@pytest.fixture(autouse=True)
def _brief_timing(monkeypatch):
    monkeypatch.setattr(running_costs, "_SECONDS", 1e-9)
