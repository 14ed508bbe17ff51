import pytest
from tests.studies.contextuality.made_up import layer_data


@pytest.fixture(scope="session")
def seen():
    """What the study collects of the made-up model."""
    return layer_data()
