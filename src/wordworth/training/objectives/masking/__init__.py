"""Masking units: rules that say which tokens are masked together."""
