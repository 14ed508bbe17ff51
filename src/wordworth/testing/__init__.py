"""Conformance checks that our own rungs, tasks and encoders pass, and yours can too."""
