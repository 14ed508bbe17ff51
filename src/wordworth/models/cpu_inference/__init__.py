"""Inference on a CPU, faster than the exact modules and held to them: float32, bfloat16 and int8."""
