// The drawings of an attention page, on canvas: lines from token to token, small maps of all heads, a query with a key.
const attentionDrawings = (() => {
  const LEVELS = 24;
  const MOST_LINES = 3000;
  const FAINTEST = 0.004;
  const TALL = 1200;
  const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif";

  const colours = () => {
    const style = getComputedStyle(document.documentElement);
    const named = (name) => style.getPropertyValue(`--${name}`).trim();
    return { page: named("page"), text: named("text"), muted: named("muted"), rule: named("rule"), accent: named("accent"), other: named("line-7") };
  };

  // Sets a canvas to this size in pixels of the page.
  const prepared = (canvas, width, height) => {
    const dots = Math.min(devicePixelRatio || 1, 2);
    const [wide, high] = [Math.round(width * dots), Math.round(height * dots)];
    if (canvas.width !== wide || canvas.height !== high) {
      [canvas.width, canvas.height] = [wide, high];
      canvas.style.height = `${height}px`;
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(dots, 0, 0, dots, 0, 0);
    pen.clearRect(0, 0, width, height);
    return pen;
  };

  const fitted = (pen, text, room) => {
    if (pen.measureText(text).width <= room) return text;
    let [least, most] = [0, text.length];
    while (least < most) {
      const middle = (least + most + 1) >> 1;
      if (pen.measureText(`${text.slice(0, middle)}…`).width <= room) least = middle;
      else most = middle - 1;
    }
    return `${text.slice(0, least)}…`;
  };

  const rowHeight = (size) => (size <= 40 ? 24 : size <= 96 ? 19 : 14);

  // The indices of the units that a side shows.
  const indices = (flags) => flags.flatMap((flag, index) => (flag ? [index] : []));

  // Where the columns of tokens and the bars beside them are.
  const layout = (pen, map, width, height) => {
    pen.font = `${height > 20 ? 14 : height > 16 ? 13 : 11}px ${FONT}`;
    const longest = map.names.reduce((most, name) => Math.max(most, pen.measureText(name.slice(0, 40)).width), 0);
    const bar = Math.min(64, width * 0.12);
    const names = Math.min(longest + 4, width * 0.28);
    return { height, bar, names, left: names + 28, right: width - bar - names - 8, width };
  };

  // The smallest weight of which at most so many lines are drawn.
  const threshold = (weights) => {
    const counts = new Uint32Array(256);
    for (const weight of weights) counts[Math.min(255, Math.round(Math.sqrt(weight) * 255))] += 1;
    let [code, total] = [256, 0];
    while (code > 1 && total + counts[code - 1] <= MOST_LINES) total += counts[(code -= 1)];
    return Math.max(FAINTEST, ((code - 0.5) / 255) ** 2);
  };

  const drawLines = (pen, map, place, chosen, palette, [top, bottom]) => {
    const least = threshold(map.weights);
    const paths = Array.from({ length: LEVELS }, () => null);
    place.rows.forEach((row, rank) => {
      if (chosen.from !== null && chosen.from !== row) return;
      const y = (rank + 0.5) * place.height;
      for (let at = 0; at < place.columns.length; at += 1) {
        const column = place.columns[at];
        const weight = map.weights[row * map.size + column];
        if (weight < least || (chosen.to !== null && chosen.to !== column)) continue;
        const end = (at + 0.5) * place.height;
        if (Math.max(y, end) < top || Math.min(y, end) > bottom) continue;
        const level = Math.min(LEVELS - 1, Math.floor(Math.sqrt(weight) * LEVELS));
        const path = (paths[level] ||= new Path2D());
        path.moveTo(place.left, y);
        path.lineTo(place.right, end);
      }
    });
    const few = place.rows.length <= 40 || chosen.from !== null || chosen.to !== null; // more lines are fainter each
    pen.strokeStyle = palette.accent;
    paths.forEach((path, level) => {
      if (!path) return;
      const root = (level + 0.5) / LEVELS;
      pen.globalAlpha = few ? 0.08 + 0.92 * root : 0.02 + 0.98 * root ** 1.6;
      pen.lineWidth = 0.5 + 2.5 * root * root;
      pen.stroke(path);
    });
    pen.globalAlpha = 1;
    return least;
  };

  // What each token gives (left) or receives (right): of the chosen one, else the mean.
  const bars = (map, chosen) => {
    const left = new Float32Array(map.size);
    if (chosen.to !== null) left.forEach((_, row) => (left[row] = map.weights[row * map.size + chosen.to]));
    if (chosen.from === null) return { left, right: attentionMaps.received(map) };
    return { left, right: map.weights.subarray(chosen.from * map.size, (chosen.from + 1) * map.size) };
  };

  const drawNames = (pen, map, place, chosen, palette, [top, bottom]) => {
    const { left, right } = bars(map, chosen);
    const high = place.height - 6;
    const side = (shown, name, weights, at, out) =>
      shown.forEach((index, rank) => {
        const y = (rank + 0.5) * place.height;
        if (y < top - place.height || y > bottom + place.height) return;
        const strong = chosen[name] === null || chosen[name] === index;
        pen.fillStyle = !strong ? palette.rule : map.special[index] ? palette.muted : palette.text;
        pen.fillText(fitted(pen, map.names[index].slice(0, 200), place.names), at + 6 * out, y);
        const long = weights[index] * (out < 0 ? 16 : place.bar);
        pen.fillStyle = palette.accent;
        if (long > 0.5) pen.fillRect(at + out * (place.names + 12) - (out < 0 ? long : 0), y - high / 2, long, high);
      });
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    side(place.rows, "from", left, place.left, -1);
    pen.textAlign = "left";
    side(place.columns, "to", right, place.right, 1);
  };

  // Draws the lines of a map. Of a tall drawing only the part from `seen.top`, `seen.height` high, is on the canvas.
  const lines = (canvas, map, chosen, width, seen) => {
    const [rows, columns] = [indices(map.rows), indices(map.columns)];
    const units = Math.max(1, rows.length, columns.length);
    const whole = units * rowHeight(units);
    const height = whole > TALL ? Math.min(whole, Math.max(400, seen.height)) : whole;
    const top = Math.max(0, Math.min(whole - height, whole > TALL ? seen.top : 0));
    const pen = prepared(canvas, width, height);
    canvas.style.top = `${top}px`;
    pen.translate(0, -top);
    const place = { ...layout(pen, map, width, rowHeight(units)), rows, columns };
    const palette = colours();
    const least = drawLines(pen, map, place, chosen, palette, [top, top + height]);
    drawNames(pen, map, place, chosen, palette, [top, top + height]);
    return { ...place, least, whole, top };
  };

  const rgb = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

  // Colours of 256 roots of weights, from the page to the text.
  const shades = (palette) => {
    const [page, text] = [rgb(palette.page), rgb(palette.text)];
    const table = new Uint32Array(256);
    for (let code = 0; code < 256; code += 1) {
      const [red, green, blue] = page.map((from, part) => Math.round(from + ((text[part] - from) * code) / 255));
      table[code] = (255 << 24) | (blue << 16) | (green << 8) | red;
    }
    return table;
  };

  // A map as a square of so many dots; of several weights in a dot the largest counts.
  const thumbnail = (map, dots, table) => {
    const codes = new Uint8Array(dots * dots);
    if (map.size >= dots) {
      for (let row = 0; row < map.size; row += 1) {
        const into = Math.floor((row * dots) / map.size) * dots;
        for (let column = 0; column < map.size; column += 1) {
          const at = into + Math.floor((column * dots) / map.size);
          const code = Math.sqrt(map.weights[row * map.size + column]) * 255;
          if (code > codes[at]) codes[at] = code;
        }
      }
    } else {
      for (let at = 0; at < codes.length; at += 1) {
        const row = Math.floor((Math.floor(at / dots) * map.size) / dots);
        codes[at] = Math.sqrt(map.weights[row * map.size + Math.floor(((at % dots) * map.size) / dots)]) * 255;
      }
    }
    const image = new ImageData(dots, dots);
    new Uint32Array(image.data.buffer).set(Uint32Array.from(codes, (code) => table[code]));
    return image;
  };

  const gridPlace = (model, width) => {
    const [left, top] = [26, 20];
    const edge = Math.max(8, Math.min(110, (width - left) / model.heads));
    return { left, top, edge, height: top + edge * model.layers.length + 2 };
  };

  const grid = (canvas, model, mapOf, chosen, width) => {
    const place = gridPlace(model, width);
    const pen = prepared(canvas, width, place.height);
    const palette = colours();
    const table = shades(palette);
    const scale = pen.getTransform().a;
    pen.font = `12px ${FONT}`;
    pen.textBaseline = "middle";
    pen.fillStyle = palette.muted;
    pen.textAlign = "center";
    for (let head = 1; head <= model.heads; head += 1) {
      if (place.edge > 16 || head % 4 === 1) pen.fillText(head, place.left + (head - 0.5) * place.edge, 9);
    }
    model.layers.forEach((layer, row) => {
      const y = place.top + row * place.edge;
      pen.textAlign = "right";
      pen.fillText(layer, place.left - 6, y + place.edge / 2);
      pen.textAlign = "center";
      for (let head = 1; head <= model.heads; head += 1) {
        const map = mapOf(layer, head);
        const x = place.left + (head - 1) * place.edge;
        if (!map && !model.has(layer, head)) pen.fillText("×", x + place.edge / 2, y + place.edge / 2);
        if (!map) continue;
        const dots = Math.max(2, Math.floor((place.edge - 3) * scale));
        pen.putImageData(thumbnail(map, dots, table), Math.round((x + 1) * scale), Math.round((y + 1) * scale));
        pen.strokeStyle = palette.rule;
        pen.lineWidth = 1;
        pen.strokeRect(x + 0.5, y + 0.5, place.edge - 2, place.edge - 2);
      }
    });
    return place;
  };

  // The frame around the chosen head, which moves without the maps being drawn again.
  const frame = (element, model, place, layer, head) => {
    const row = model.layers.indexOf(layer);
    element.hidden = row < 0 || !head;
    const [x, y] = [place.left + (head - 1) * place.edge, place.top + row * place.edge];
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${place.edge}px`, height: `${place.edge}px` });
  };

  const strip = (pen, values, box, palette, label) => {
    const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
    const middle = box.top + box.height / 2;
    const wide = (box.width - box.left) / values.length;
    pen.fillStyle = palette.text;
    pen.textAlign = "left";
    pen.fillText(label, 0, box.top + 8);
    pen.fillStyle = palette.muted;
    pen.fillText(`up to ${most.toPrecision(2)}`, 0, box.top + 26);
    values.forEach((value, index) => {
      const high = ((box.height / 2 - 3) * value) / most;
      pen.fillStyle = value < 0 ? palette.other : palette.accent;
      pen.fillRect(box.left + index * wide, Math.min(middle, middle - high), Math.max(1, wide - 1), Math.abs(high));
    });
    pen.strokeStyle = palette.rule;
    pen.beginPath();
    pen.moveTo(box.left, middle);
    pen.lineTo(box.width, middle);
    pen.stroke();
  };

  const neurons = (canvas, pair, width) => {
    const height = 70;
    const pen = prepared(canvas, width, 3 * height);
    const palette = colours();
    pen.font = `13px ${FONT}`;
    pen.textBaseline = "middle";
    const left = width < 500 ? 78 : 110;
    [["query", pair.query], ["key", pair.key], ["q × k / √d", pair.products]].forEach(([label, values], index) =>
      strip(pen, values, { left, top: index * height, width, height }, palette, label),
    );
  };

  return { lines, grid, frame, neurons };
})();
