// The word explorer: typing narrows the list of words, and shows a word once it is the only one or is typed whole.
(() => {
  const field = document.getElementById("explore");
  if (!field) return;
  const links = [...document.querySelectorAll("#words-list a")];
  const said = document.getElementById("explore-found");
  const show = (link) => {
    if (location.hash !== link.hash) location.replace(link.hash);
    mark();
  };
  const mark = () => links.forEach((link) => link.toggleAttribute("aria-current", link.hash === location.hash));
  const narrow = () => {
    const typed = field.value.trim().toLowerCase();
    const found = links.filter((link) => link.dataset.word.startsWith(typed));
    links.forEach((link) => (link.parentElement.hidden = !found.includes(link)));
    const whole = found.filter((link) => link.dataset.word === typed);
    const one = whole.length ? whole[0] : found.length === 1 ? found[0] : null;
    if (typed && one) show(one);
    said.textContent = found.length ? `${found.length} of ${links.length} words` : "no such word here";
  };
  field.parentElement.hidden = false;
  field.addEventListener("input", narrow);
  addEventListener("hashchange", mark);
  mark();
})();
