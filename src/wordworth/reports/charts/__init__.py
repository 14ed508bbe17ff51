"""Charts as plain SVG: data in, `Drawing` out, no library and no state."""
