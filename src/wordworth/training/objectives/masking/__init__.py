"""Masking units: rules that decide which tokens are masked together."""
