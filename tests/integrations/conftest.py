"""Models and records for the tests, and a runner of asynchronous tests without a plugin."""

import asyncio
import inspect

import pytest
from tests.representations.tiny_encoder import write_tiny_encoder


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("integrations") / "tiny"))


def pytest_configure(config):
    for name in ("asyncio", "benchmark", "vcr"):
        config.addinivalue_line("markers", f"{name}: used by langchain-tests, whose plugins are left out")


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test that is a coroutine, as LangChain's are."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}))
    return True
