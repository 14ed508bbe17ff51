"use strict";
// Hover and arrow keys on charts, sorting of tables, the theme switch. The page reads without any of it.
(() => {
  const data = document.getElementById("pointers");
  const pointers = data ? JSON.parse(data.textContent) : {};

  const nearest = (places, x, y, across) => {
    const far = ([px, py]) => Math.abs(px - x) + (across ? 0 : Math.abs(py - y));
    return places.reduce((best, place, index) => (far(place) < far(places[best]) ? index : best), 0);
  };

  const fill = (tip, [title, lines]) => {
    const head = document.createElement("b");
    head.textContent = title;
    const rows = lines.map(([look, words]) => {
      const row = document.createElement("span");
      if (look) row.className = look;
      row.textContent = words;
      return row;
    });
    tip.replaceChildren(head, ...rows);
  };

  // Beside a single point; under the whole chart where a line goes through all curves, so as to hide none of them.
  const place = (tip, svg, [x, y], across) => {
    const room = svg.getBoundingClientRect();
    const scale = room.width / svg.viewBox.baseVal.width;
    const [width, height] = [tip.offsetWidth, tip.offsetHeight];
    const right = x * scale + 14;
    const left = across ? x * scale - width / 2 : right + width > room.width ? x * scale - 14 - width : right;
    const top = across ? room.height - 4 : y * scale + 14 + height > room.height ? y * scale - 14 - height : y * scale + 14;
    tip.style.left = `${Math.max(0, Math.min(left, room.width - width))}px`;
    tip.style.top = `${top}px`;
  };

  const mark = (cross, [x, y], svg, across) => {
    const ends = across ? [x, x, 26, svg.viewBox.baseVal.height - 44] : [x, x, y, y];
    ["x1", "x2", "y1", "y2"].forEach((name, index) => cross.setAttribute(name, ends[index]));
    cross.classList.toggle("dot", !across);
    cross.classList.add("on");
  };

  const bind = (figure, { across, words, places }) => {
    const tip = figure.querySelector(".tip");
    figure.querySelectorAll(".drawing > svg").forEach((svg, drawing) => {
      const cross = svg.querySelector(".cross");
      let current = -1;
      const show = (index) => {
        current = index;
        fill(tip, words[index]);
        tip.hidden = false;
        place(tip, svg, places[drawing][index], across);
        mark(cross, places[drawing][index], svg, across);
      };
      const hide = () => {
        tip.hidden = true;
        cross.classList.remove("on");
      };
      const point = (event) => {
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
        show(nearest(places[drawing], at.x, at.y, across));
      };
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
      svg.addEventListener("pointermove", point);
      svg.addEventListener("pointerdown", point);
      svg.addEventListener("pointerleave", hide);
      svg.addEventListener("blur", hide);
      svg.addEventListener("keydown", (event) => {
        if (event.key === "Escape") hide();
        if (!(event.key in steps)) return;
        event.preventDefault();
        const last = words.length - 1;
        show(current < 0 ? (steps[event.key] > 0 ? 0 : last) : Math.min(Math.max(current + steps[event.key], 0), last));
      });
    });
  };

  document.querySelectorAll("[data-chart]").forEach((figure) => {
    const pointer = pointers[figure.dataset.chart];
    if (pointer) bind(figure, pointer);
  });

  const compare = (one, other) => {
    if (one === "" || other === "") return one === other ? 0 : one === "" ? Infinity : -Infinity;
    const [a, b] = [Number(one.replace("inf", "Infinity")), Number(other.replace("inf", "Infinity"))];
    if (Number.isNaN(a) || Number.isNaN(b)) return one.localeCompare(other);
    return a === b ? 0 : a - b;
  };

  const sort = (table, head, column) => {
    const down = head.getAttribute("aria-sort") === "ascending";
    table.querySelectorAll("thead th").forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].sort((one, other) => {
      const found = compare(one.cells[column].dataset.sort, other.cells[column].dataset.sort);
      const empty = one.cells[column].dataset.sort === "" || other.cells[column].dataset.sort === "";
      return down && !empty ? -found : found;
    });
    body.append(...rows);
  };

  document.querySelectorAll("table.sortable").forEach((table) => {
    table.querySelectorAll("thead th").forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => sort(table, head, column));
    });
  });

  // A table wider than its frame says so until it has been moved to its end.
  const wide = (frame) =>
    frame.classList.toggle("more", frame.scrollWidth > frame.clientWidth + frame.scrollLeft + 8);
  const frames = [...document.querySelectorAll(".frame")];
  const measure = () => frames.forEach(wide);
  frames.forEach((frame) => frame.addEventListener("scroll", () => wide(frame), { passive: true }));
  document.querySelectorAll("details").forEach((it) => it.addEventListener("toggle", measure));
  addEventListener("resize", measure);
  measure();

  const theme = document.getElementById("theme");
  if (theme) {
    const root = document.documentElement;
    const prefers = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.theme || (prefers.matches ? "dark" : "light")) === "dark";
    const name = () => {
      theme.textContent = isDark() ? "Light" : "Dark";
      theme.setAttribute("aria-label", isDark() ? "Switch to light colours" : "Switch to dark colours");
    };
    theme.hidden = false;
    theme.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      name();
    });
    prefers.addEventListener("change", name);
    name();
  }

  addEventListener("beforeprint", () => document.querySelectorAll("details.long").forEach((it) => (it.open = true)));
})();
