// The views of an attention page: its controls, keys and pointers. Without this the page has its tables.
(() => {
  const element = document.getElementById("attention-data");
  const viewer = document.getElementById("viewer");
  if (!element || !viewer) return;
  const absent = document.getElementById("maps-absent");
  if (typeof DecompressionStream === "undefined") {
    absent.textContent = "This browser cannot unpack the maps; one of 2023 or later can.";
    return;
  }
  const payload = JSON.parse(element.textContent);
  const models = payload.models.map(attentionMaps.opened);
  const control = Object.fromEntries(
    ["layer", "head", "units", "from", "to", "texts", "hide"].map((name) => [name, document.getElementById(`show-${name}`)]),
  );
  const said = document.getElementById("said");
  const views = [...viewer.querySelectorAll("input[name=view]")];
  const panels = [...viewer.querySelectorAll(".panel")].map((panel, index) => ({
    model: models[index],
    stage: panel.querySelector(".stage"),
    canvas: panel.querySelector("canvas"),
    frame: panel.querySelector(".chosen-head"),
    note: panel.querySelector(".panel-note"),
    table: panel.querySelector(".scores"),
    hovered: null,
    drawn: "",
    place: null,
  }));
  const layers = [...new Set(models.flatMap((model) => model.layers))].sort((one, other) => one - other);
  const heads = Math.max(...models.map((model) => model.heads));
  const middle = layers[Math.floor((layers.length - 1) / 2)];
  const headsOf = Array.from({ length: heads + 1 }, (_, head) => head);
  // Two models open where they differ most, one at the first head of its middle layer.
  const start = payload.start || { layer: middle, head: headsOf.find((head) => head && models[0].has(middle, head)) || 0 };
  const state = { view: "lines", ...start };
  const percent = (share) => `${(100 * share).toFixed(share < 0.0995 ? 1 : 0)} %`;
  const number = (value, digits) => value.toFixed(digits).replace(/^-(?=.*[1-9])/, "−").replace(/^-/, "");
  const named = (map, index) => `“${map.names[index].slice(0, 60)}”`;

  const fill = (select, entries, value) => {
    select.replaceChildren(
      ...entries.map(([key, text]) => {
        const option = document.createElement("option");
        [option.value, option.textContent] = [key, text];
        return option;
      }),
    );
    select.value = value;
  };

  const byWords = () => control.units.value === "words" && state.view !== "vectors";
  const options = () => {
    const [from, to] = control.texts.value ? control.texts.value.split("") : ["", ""];
    return { byWords: byWords(), hide: control.hide.checked, from, to };
  };
  const index = (name) => (control[name].value === "" ? null : Number(control[name].value));

  const fillTokens = () => {
    const { names } = attentionMaps.unitsOf(models[0], byWords());
    const entries = names.map((name, at) => [at, `${at + 1} ${name.slice(0, 40)}`]);
    const all = state.view === "vectors" ? [] : [["", "every one"]];
    const inText = models[0].special.indexOf(0);
    const first = state.view === "vectors" ? Math.max(0, inText) : "";
    fill(control.from, [...all, ...entries], first);
    fill(control.to, [...all, ...entries], first);
  };

  const strongest = (map, row) => {
    const order = map.names.map((_, at) => at).sort((a, b) => map.weights[row * map.size + b] - map.weights[row * map.size + a]);
    return order.slice(0, 3).map((at) => `${named(map, at)} ${percent(map.weights[row * map.size + at])}`).join(", ");
  };

  const mostReceived = (map) => {
    const sums = Array.from(attentionMaps.received(map));
    const best = sums.indexOf(Math.max(...sums));
    return `most goes to ${named(map, best)}, ${percent(sums[best])}`;
  };

  const holds = (map) => {
    if (!map.special.some(Boolean)) return "";
    return control.hide.checked
      ? ` Hidden special tokens hold ${percent(map.held)} of the attention of the others; the rest is not scaled up.`
      : ` Special tokens hold ${percent(map.held)} of the attention of the others.`;
  };

  const chosenIn = (panel, map) => {
    const chosen = { from: index("from"), to: index("to") };
    if (panel.model !== models[0] && map.names.length !== attentionMaps.unitsOf(models[0], byWords()).names.length) {
      [chosen.from, chosen.to] = [null, null];
    }
    return panel.hovered ? { from: null, to: null, ...panel.hovered } : chosen;
  };

  // Empties a panel whose model has no such head, and says why.
  const absentHead = (panel) => {
    panel.canvas.hidden = true;
    panel.place = null;
    panel.note.textContent = "";
    return panel.model.layers.includes(state.layer) && !panel.model.has(state.layer, state.head)
      ? "this head was removed from the model"
      : "no such layer here";
  };

  const drawLines = (panel, width) => {
    const map = panel.model.map(state.layer, state.head, options());
    if (!map) return absentHead(panel);
    const chosen = chosenIn(panel, map);
    const seen = { top: -panel.stage.getBoundingClientRect().top - 40, height: innerHeight + 80 };
    panel.place = attentionDrawings.lines(panel.canvas, map, chosen, width, seen);
    panel.stage.style.height = `${panel.place.whole}px`;
    const least = Math.max(panel.place.least, panel.model.least);
    panel.note.textContent = `Lines under ${least.toPrecision(1)} are not drawn.${holds(map)}`;
    if (chosen.from !== null) return `from ${named(map, chosen.from)}: ${strongest(map, chosen.from)}`;
    return mostReceived(map);
  };

  const drawGrid = (panel, width) => {
    const shown = options();
    const key = JSON.stringify([shown, width, document.documentElement.dataset.theme, panel.unpacked]);
    if (panel.drawn !== key) {
      panel.place = attentionDrawings.grid(panel.canvas, panel.model, (layer, head) => panel.model.map(layer, head, shown), state, width);
      panel.drawn = key;
    }
    attentionDrawings.frame(panel.frame, panel.model, panel.place, state.layer, state.head);
    const map = panel.model.map(state.layer, state.head, shown);
    panel.note.textContent = `Rows of a square attend to its columns; the further from the page's colour, the more.${map ? holds(map) : ""}`;
    return map ? mostReceived(map) : panel.model.has(state.layer, state.head) ? "no such layer here" : "this head was removed from the model";
  };

  const drawVectors = (panel, width) => {
    const [from, to] = [index("from"), index("to")];
    const { model } = panel;
    const pair = model.pair(state.layer, state.head, from, to);
    panel.table.hidden = !pair;
    panel.canvas.hidden = !pair;
    if (!pair) {
      const kept = !model.has(state.layer, state.head) ? "this head was removed from the model" : model.vectors ? `queries and keys of the first ${model.vectors.tokens} tokens are on this page` : "this page has no queries and keys of this model";
      panel.note.textContent = state.head ? `${kept}.` : "Choose one head.";
      return kept;
    }
    attentionDrawings.neurons(panel.canvas, pair, width);
    const map = model.map(state.layer, state.head, { ...options(), hide: false, from: "", to: "" });
    const scores = map.names.map((_, token) => [token, model.pair(state.layer, state.head, from, token), map.weights[from * map.size + token]]);
    const rows = scores.sort((one, other) => other[2] - one[2]).slice(0, 8);
    panel.table.tBodies[0].replaceChildren(
      ...rows.map(([token, other, weight]) => {
        const row = document.createElement("tr");
        [named(map, token), other ? number(other.score, 1) : "not kept", percent(weight)].forEach((text, at) => {
          const cell = document.createElement(at ? "td" : "th");
          if (!at) cell.scope = "row";
          cell.textContent = text;
          row.append(cell);
        });
        return row;
      }),
    );
    panel.note.textContent = `The tokens to which ${named(map, from)} attends most. Scores of this head are off by at most ${pair.error.toPrecision(1)}, as vectors are rounded.`;
    const unseen = model.causal && to > from ? ", a later token, which this model does not see" : "";
    return `${named(map, from)} with ${named(map, to)}: q·k/√d ${number(pair.score, 1)}, weight ${percent(map.weights[from * map.size + to])}${unseen}`;
  };

  const draw = () => {
    const drawing = { lines: drawLines, grid: drawGrid, vectors: drawVectors }[state.view];
    const sentences = panels.map((panel) => {
      if (state.view !== "grid") [panel.drawn, panel.frame.hidden] = ["", true];
      if (state.view !== "lines") [panel.stage.style.height, panel.canvas.style.top] = ["", "0"];
      if (state.view !== "vectors") [panel.table.hidden, panel.canvas.hidden] = [true, false];
      const text = drawing(panel, panel.stage.clientWidth);
      return models.length > 1 ? `${panel.model.name}: ${text}` : text;
    });
    const head = state.head ? `head ${state.head}` : "mean of the heads";
    said.textContent = `Layer ${state.layer}, ${head}: ${sentences.join("; ")}.`;
  };

  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };

  const show = (changes) => {
    Object.assign(state, changes);
    control.layer.value = state.layer;
    control.head.value = state.head;
    later();
  };

  const step = (list, value, by) => list[Math.max(0, Math.min(list.length - 1, list.indexOf(value) + by))];
  const keys = {
    ArrowRight: () => show({ head: step(headsOf, state.head, 1) }),
    ArrowLeft: () => show({ head: step(headsOf, state.head, -1) }),
    ArrowDown: () => show({ layer: step(layers, state.layer, 1) }),
    ArrowUp: () => show({ layer: step(layers, state.layer, -1) }),
    Escape: () => {
      if (state.view !== "vectors") [control.from.value, control.to.value] = ["", ""];
      later();
    },
    Enter: () => state.view === "grid" && choose("lines"),
  };

  const choose = (view) => {
    const tokens = (view === "vectors") !== (state.view === "vectors");
    state.view = view;
    views.forEach((input) => (input.checked = input.value === view));
    viewer.dataset.view = view;
    if (tokens) fillTokens();
    if (view === "vectors" && !state.head) show({ head: 1 });
    later();
  };

  // The token or head under a pointer: {from}, {to} or {layer, head}; null elsewhere.
  const under = (panel, event) => {
    const box = panel.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const { place } = panel;
    if (!place) return null;
    if (state.view === "grid") {
      const [row, column] = [Math.floor((y - place.top) / place.edge), Math.floor((x - place.left) / place.edge)];
      const inside = row >= 0 && column >= 0 && row < panel.model.layers.length && column < panel.model.heads;
      return inside ? { layer: panel.model.layers[row], head: column + 1 } : null;
    }
    const at = Math.floor((y + place.top) / place.height);
    const [name, shown] = x < place.left + 12 ? ["from", place.rows] : x > place.right - 12 ? ["to", place.columns] : ["", []];
    return at in shown ? { [name]: shown[at] } : null;
  };

  panels.forEach((panel) => {
    panel.stage.addEventListener("keydown", (event) => {
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });
    panel.canvas.addEventListener("pointermove", (event) => {
      if (state.view !== "lines" || event.pointerType === "touch") return;
      panel.hovered = under(panel, event);
      later();
    });
    panel.canvas.addEventListener("pointerleave", () => {
      panel.hovered = null;
      later();
    });
    panel.canvas.addEventListener("click", (event) => {
      const found = under(panel, event);
      if (!found) return;
      if (state.view === "grid") {
        show(found);
        choose("lines");
      } else if (state.view === "lines") {
        const [name, at] = Object.entries(found)[0];
        control[name === "from" ? "to" : "from"].value = "";
        control[name].value = control[name].value === String(at) ? "" : at;
        later();
      }
    });
  });

  views.forEach((input) => input.addEventListener("change", () => choose(input.value)));
  control.layer.addEventListener("change", () => show({ layer: Number(control.layer.value) }));
  control.head.addEventListener("change", () => show({ head: Number(control.head.value) }));
  control.units.addEventListener("change", () => {
    fillTokens();
    later();
  });
  ["from", "to", "texts", "hide"].forEach((name) => control[name].addEventListener("change", later));

  fill(control.layer, layers.map((layer) => [layer, layer]), state.layer);
  fill(control.head, headsOf.map((head) => [head, head || "mean of all"]), state.head);
  control.units.parentElement.hidden = !models.some((model) => model.words);
  if (!models.some((model) => model.words)) control.units.value = "pieces";
  control.texts.parentElement.hidden = models.every((model) => model.second === null);
  control.hide.parentElement.hidden = !models.some((model) => model.special.some(Boolean));
  views.find((input) => input.value === "vectors").disabled = !models.some((model) => model.hasVectors);
  viewer.dataset.view = state.view;
  fillTokens();
  viewer.hidden = false;
  absent.hidden = true;
  addEventListener("resize", later);
  addEventListener("scroll", () => state.view === "lines" && later(), { passive: true });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    panels.forEach((panel) => (panel.drawn = ""));
    later();
  });
  new MutationObserver(later).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  panels.forEach((panel) => {
    panel.unpacked = 0;
    const ready = () => {
      panel.unpacked += 1;
      viewer.dataset.ready = "first";
      later();
    };
    panel.model
      .load(state.layer, ready)
      .then(() => panel.model.loadVectors())
      .then(() => {
        panel.unpacked += 1;
        viewer.dataset.ready = "whole";
        later();
      })
      .catch(() => {
        absent.hidden = false;
        absent.textContent = "The maps on this page are damaged.";
      });
  });
})();
