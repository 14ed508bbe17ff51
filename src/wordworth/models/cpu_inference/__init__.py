"""CPU inference in float32, bfloat16 and int8: faster than the exact modules, and tested against them."""
