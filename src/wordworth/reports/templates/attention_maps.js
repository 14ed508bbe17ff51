// The maps of an attention page: unpacked from the page, grouped by words, restricted to some texts.
const attentionMaps = (() => {
  const ROOT = 255;
  const weights = Float32Array.from({ length: ROOT + 1 }, (_, code) => (code / ROOT) ** 2);

  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  };

  const unitsOf = (model, byWords) => {
    if (!byWords || !model.words) {
      return { names: model.tokens, special: model.special, second: model.second, of: null };
    }
    const { names, of } = model.words;
    const special = names.map((_, word) => model.special[of.indexOf(word)]);
    return { names, special, second: model.second === null ? null : of[model.second], of };
  };

  // To a word the sum over its tokens, from a word the mean: rows that sum to 1 still do.
  const grouped = (codes, start, tokens, of, words) => {
    const map = new Float32Array(words * words);
    const sizes = new Float32Array(words);
    of.forEach((word) => (sizes[word] += 1));
    for (let row = 0; row < tokens; row += 1) {
      const into = of[row] * words;
      const share = 1 / sizes[of[row]];
      for (let column = 0; column < tokens; column += 1) {
        map[into + of[column]] += share * weights[codes[start + row * tokens + column]];
      }
    }
    return map;
  };

  const decoded = (codes, start, size) => {
    const map = new Float32Array(size);
    for (let index = 0; index < size; index += 1) map[index] = weights[codes[start + index]];
    return map;
  };

  const averaged = (maps) => {
    const sum = new Float32Array(maps[0].length);
    maps.forEach((map) => map.forEach((weight, index) => (sum[index] += weight / maps.length)));
    return sum;
  };

  const inText = (side, second, index) => !side || second === null || (index >= second) === (side === "B");

  // A model as the views see it. `head` is a number from 1, or 0 for the mean of all heads.
  const opened = (model) => {
    const unpacked = model.layers.map(() => null);
    const removed = new Set(model.removed.map(String));
    const has = (layer, head) => head <= model.heads && !removed.has(`${layer},${head}`);
    const one = (place, head, units) => {
      const tokens = model.tokens.length;
      const start = (head - 1) * tokens * tokens;
      return units.of
        ? grouped(unpacked[place], start, tokens, units.of, units.names.length)
        : decoded(unpacked[place], start, tokens * tokens);
    };
    return {
      ...model,
      vectors: null,
      has,
      // Unpacks the layers, the one that is shown first.
      load: async (first, ready) => {
        const order = model.layers.map((_, place) => place).sort((one) => (model.layers[one] === first ? -1 : 0));
        for (const place of order) {
          unpacked[place] = await unpack(model.maps[place]);
          if (place === order[0]) ready();
        }
      },
      async loadVectors() {
        if (!model.vectors) return;
        const [query, key] = await Promise.all([unpack(model.vectors.query), unpack(model.vectors.key)]);
        this.vectors = { ...model.vectors, query: new Int8Array(query.buffer), key: new Int8Array(key.buffer) };
      },
      // The map of a head: names, which are special, weights [n, n], what special tokens hold; null until unpacked.
      map(layer, head, { byWords, hide, from, to }) {
        const place = model.layers.indexOf(layer);
        if (place < 0 || !unpacked[place] || !has(layer, head)) return null;
        const units = unitsOf(model, byWords);
        const every = Array.from({ length: model.heads }, (_, index) => index + 1);
        const heads = head ? [head] : every.filter((number) => has(layer, number));
        const maps = heads.map((number) => one(place, number, units));
        const whole = maps.length > 1 ? averaged(maps) : maps[0];
        const size = units.names.length;
        const rows = units.names.map((_, row) => inText(from, units.second, row) && !(hide && units.special[row]));
        const columns = units.names.map((_, column) => inText(to, units.second, column) && !(hide && units.special[column]));
        let [held, given] = [0, 0];
        for (let row = 0; row < size; row += 1) {
          if (!units.special[row] && inText(from, units.second, row)) {
            for (let column = 0; column < size; column += 1) {
              given += whole[row * size + column];
              if (units.special[column]) held += whole[row * size + column];
            }
          }
          for (let column = 0; column < size; column += 1) {
            if (!rows[row] || !columns[column]) whole[row * size + column] = 0;
          }
        }
        return { ...units, size, rows, columns, weights: whole, held: given ? held / given : 0 };
      },
      // Query and key of two tokens with their products over the root of the size; null where they are not kept.
      pair(layer, head, from, to) {
        const place = model.layers.indexOf(layer);
        const kept = this.vectors;
        if (!kept || place < 0 || !head || !has(layer, head) || Math.max(from, to) >= kept.tokens) return null;
        const read = (values, scales, token) => {
          const start = ((place * model.heads + head - 1) * kept.tokens + token) * kept.size;
          return Float32Array.from(values.subarray(start, start + kept.size), (value) => value * scales[place][head - 1]);
        };
        const query = read(kept.query, kept.queryScale, from);
        const key = read(kept.key, kept.keyScale, to);
        const products = query.map((value, index) => (value * key[index]) / Math.sqrt(kept.size));
        return { query, key, products, error: kept.error[place][head - 1], score: products.reduce((sum, value) => sum + value, 0) };
      },
    };
  };
  // The mean attention that each unit receives from those that are shown, without special tokens if there are others.
  const received = (map) => {
    const words = map.rows.map((row, index) => row && !map.special[index]);
    const rows = words.some(Boolean) ? words : map.rows;
    const sums = new Float32Array(map.size);
    const number = rows.filter(Boolean).length || 1;
    rows.forEach((row, from) => {
      for (let to = 0; row && to < map.size; to += 1) sums[to] += map.weights[from * map.size + to] / number;
    });
    return sums;
  };

  return { opened, unitsOf, received };
})();
