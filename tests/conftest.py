"""What every test shares: a cache of its own, so that nothing of the user's is read or written."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def cache_of_its_own(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORDWORTH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
