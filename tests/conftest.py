"""What every test shares: a cache of its own, so that nothing of the user's is read or written; and who listens."""

import pytest
from hypothesis import settings

from wordworth.progress import NoProgress
from wordworth.studies.worth import running_costs
from wordworth.training.pretraining import run_logger

settings.register_profile("shared machine", deadline=None)  # how long an example takes says nothing where others work
settings.load_profile("shared machine")


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDWORTH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def brief_timing():
    """Rungs are timed for an instant, and the machine on small products: no test is about its speed."""
    product = run_logger._product
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(running_costs, "_SECONDS", 1e-9)
        patch.setattr(running_costs, "_QUICK_SECONDS", 1e-9)
        patch.setattr(run_logger, "_product", lambda side, *settings: product(side // 8, *settings))
        yield


class Heard(NoProgress):
    """A progress that keeps its notes."""

    def __init__(self):
        self.notes = []

    def note(self, message):
        self.notes.append(message)


@pytest.fixture
def heard():
    return Heard()
