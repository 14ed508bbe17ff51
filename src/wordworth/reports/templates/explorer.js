// The word explorer: typing narrows the list of words, and shows a word once it is the only one or is typed whole.
// Without this the links of the list show their words by themselves.
(() => {
  const field = document.getElementById("explore");
  if (!field) return;
  const links = [...document.querySelectorAll("#words-list a")];
  const entries = document.querySelector(".entries");
  const status = document.getElementById("explore-found");

  const show = (hash) => {
    const entry = /^#word-\d+$/.test(hash) ? document.getElementById(hash.slice(1)) : null;
    if (!entry) return null;
    entries.querySelectorAll(".shown").forEach((other) => other.classList.remove("shown"));
    entry.classList.add("shown");
    links.forEach((link) => (link.hash === hash ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
    return entry;
  };

  const narrow = () => {
    const typed = field.value.trim().toLowerCase();
    const found = links.filter((link) => link.dataset.word.startsWith(typed));
    links.forEach((link) => (link.parentElement.hidden = !found.includes(link)));
    const whole = found.filter((link) => link.dataset.word === typed);
    const one = whole[0] || (found.length === 1 ? found[0] : null);
    if (typed && one) show(one.hash);
    status.textContent = found.length ? `${found.length} of ${links.length} words` : "no such word here";
  };

  // For fingers and keys, which cannot point: the sentences behind the marks of a picture.
  document.querySelectorAll(".mapped").forEach((map) => {
    const lines = map.querySelector(".lines");
    lines.hidden = false;
    lines.addEventListener("toggle", () => {
      const sentences = [...map.querySelectorAll("svg.map title")].map((title) => {
        const line = document.createElement("li");
        line.textContent = title.textContent;
        return line;
      });
      lines.querySelector("ul").replaceChildren(...sentences);
    });
  });

  links.forEach((link) =>
    link.addEventListener("click", (event) => {
      event.preventDefault();
      history.replaceState(null, "", link.hash);
      show(link.hash).scrollIntoView({ block: "nearest" });
    }),
  );
  entries.classList.add("scripted");
  field.parentElement.hidden = false;
  field.addEventListener("input", narrow);
  addEventListener("hashchange", () => show(location.hash));
  show(location.hash);
})();
