"""Metrics, intervals and other statistics: functions of numpy arrays, which neither import torch nor read files."""
