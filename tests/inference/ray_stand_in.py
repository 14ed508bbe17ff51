"""A stand-in for Ray: tasks run when they are waited for, the last one first."""

import types
from importlib.machinery import ModuleSpec

from wordworth.errors import BadInput


class Died(Exception):
    """A worker that died."""


class TaskFailed(Died):
    """An error in a worker, with what it was."""

    def __init__(self, cause):
        super().__init__(str(cause))
        self.cause = cause


class StandIn(types.ModuleType):
    """As much of Ray as the engine uses; a task is the number of its call."""

    def __init__(self, cores=2):
        super().__init__("ray")
        self.cores, self.tasks, self.under_way, self.cancelled = cores, {}, [], []
        self.most, self.started, self.starts, self.dies = 0, 0, 0, False
        self.exceptions = types.SimpleNamespace(RayTaskError=TaskFailed, RayError=Died)

    def is_initialized(self):
        return self.started > 0

    def init(self, **_):
        self.started, self.starts = self.started + 1, self.starts + 1

    def shutdown(self):
        self.started -= 1

    def cluster_resources(self):
        return {"CPU": float(self.cores)}

    def put(self, value):
        return value

    def remote(self, **_):
        return lambda function: types.SimpleNamespace(remote=lambda *arguments: self._task(function, arguments))

    def _task(self, function, arguments):
        number = len(self.tasks)
        self.tasks[number] = lambda: function(*arguments)
        self.under_way.append(number)
        self.most = max(self.most, len(self.under_way))
        return number

    def wait(self, tasks, *, num_returns):
        assert num_returns == 1
        return [tasks[-1]], tasks[:-1]

    def get(self, number):
        if self.dies:
            raise Died
        self.under_way.remove(number)
        try:
            return self.tasks[number]()
        except BadInput as error:
            raise TaskFailed(error) from error

    def cancel(self, task, force):
        assert force
        self.cancelled.append(task)


def install(monkeypatch):
    """Put a stand-in where `import ray` finds it, and return it."""
    stand_in = StandIn()
    monkeypatch.setitem(__import__("sys").modules, "ray", stand_in)
    stand_in.__spec__ = ModuleSpec("ray", None)  # so that it counts as installed
    return stand_in
