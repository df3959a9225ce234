// The search page: it lists matching statements, figures, explorers, exercises, terms and sections
// with their anchors, before the pages that Sphinx finds. Loaded on that page only.
(() => {
  const MANY = 12;
  const IDLE = new Set(
    (
      "a an and are as at be by do does for from has have how i in is it of on or " +
      "that the this to was what when where which who why with"
    ).split(" "),
  );
  // LETTERS, the character of each TeX name, is defined before this text: plain.py prints it.
  const GREEK = Object.fromEntries(
    Object.entries(LETTERS)
      .filter(([name, sign]) => /^[α-ω]$/.test(sign) && !name.startsWith("var"))
      .map(([name, sign]) => [sign, name]),
  );
  const WORTH = { word: 6, statement: 5, explorer: 3, figure: 3, exercise: 2, section: 2 };
  let all = [];

  const split = (text) =>
    text
      .toLowerCase()
      .normalize("NFD")
      .replace(/[\u0300-\u036f]/g, "")
      .replace(/[α-ω]/g, (c) => GREEK[c] ?? c)
      .match(/[a-z_]+[a-z_0-9*]*|[0-9]+(\.[0-9]+)*/g) ?? [];
  const stem = (word) => word.replace(/(?<=\w{3})(ing|ed|s)$/, "").replace(/e$/, "");
  const near = (one, word) =>
    one === word ||
    (word.length > 2 && /[a-z]/.test(word) && (stem(one) === stem(word) || one.startsWith(word)));
  window.slrEntries = (list) => {
    all = list.map(([kind, title, page, anchor, text]) => ({
      kind,
      title,
      page,
      anchor,
      text,
      head: split(title),
      body: split(text),
    }));
  };

  const score = (entry, asked) => {
    let sum = WORTH[entry.kind];
    for (const word of asked) {
      if (entry.head.some((one) => near(one, word))) sum += entry.head.includes(word) ? 12 : 8;
      else if (entry.body.some((one) => near(one, word))) sum += 3;
      else return 0;
    }
    const [phrase, head, body] = [asked, entry.head, entry.body].map((w) => ` ${w.join(" ")} `);
    if (head === phrase) sum += 40;
    else if (head.startsWith(phrase)) sum += 30;
    else if (head.includes(phrase)) sum += 20;
    else if (body.includes(phrase)) sum += 6;
    return sum;
  };
  window.slrSearch = (query) => {
    const words = split(query),
      kept = words.filter((word) => !IDLE.has(word));
    const asked = kept.length ? kept : words;
    if (!asked.length) return [];
    return all
      .map((entry) => ({ ...entry, score: score(entry, asked) }))
      .filter((entry) => entry.score)
      .sort((a, b) => b.score - a.score)
      .slice(0, MANY);
  };

  const excerptOf = (text) => {
    const excerpt = document.createElement("p");
    [excerpt.className, excerpt.textContent] = ["context", text];
    return excerpt;
  };
  const shown = ({ kind, title, page, anchor, text }) => {
    const item = document.createElement("li"),
      link = document.createElement("a");
    const home = document.documentElement.dataset.content_root;
    [link.href, link.textContent] = [`${home}${page}.html#${anchor}`, title];
    const where = document.createElement("span");
    const chapter = all.find((one) => one.page === page && one.kind === "section")?.title;
    where.textContent =
      kind === "section" && title === chapter ? " chapter" : ` ${kind}, in ${chapter}`;
    where.className = "slr-where";
    item.append(link, where, excerptOf(text));
    return item;
  };

  if (typeof Search === "undefined") return;
  const found = Search._performSearch;
  Search.query = (query) => {
    const [asked, terms, excluded, marked, objects] = Search._parseQuery(query);
    const ours = window.slrSearch(query);
    const pages = found(asked, terms, excluded, marked, objects).filter((result) => !result[2]);
    for (const entry of ours) Search.output.append(shown(entry));
    // Sphinx would fetch each page for a summary, which a page opened as a file may not do; use the
    // text of the page's own entry instead.
    DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
    for (const found of pages.reverse()) {
      _displayItem(found, terms, marked);
      const text = all.find((one) => one.page === found[0] && one.kind === "section")?.text;
      if (text) Search.output.lastChild.append(excerptOf(text));
    }
    _finishSearch(ours.length + pages.length);
    const told = (number, word) => number && `${number} ${word}${number > 1 ? "s" : ""}`;
    const both = [told(ours.length, "place"), told(pages.length, "page")].filter(Boolean);
    if (both.length) Search.status.innerText = `Search finished, found ${both.join(" and ")}.`;
  };
})();
