"""Conformance checks for rungs, tasks and encoders: ours pass them, and yours can be tested with them."""
