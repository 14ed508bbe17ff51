"""Torch held to one thread, as `wordworth.models.threads` does it for the whole process."""

from wordworth.models.threads import ONE_THREAD, OneThread

__all__ = ["ONE_THREAD", "OneThread"]
