"""Charts as plain SVG: data in, `Drawing` out, without any library or state."""
