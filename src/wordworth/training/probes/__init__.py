"""Probes: small models trained on what a frozen model computes, to see what can be read from it."""
