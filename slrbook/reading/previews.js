// Previews of links: the formula, statement, figure, reference or term that a link leads to, on
// hover or focus; Escape closes them. The content comes from one generated script per page.
(() => {
  const GAP = 8; // pixels around the box
  const known = {},
    loading = {};
  const home = new URL(document.documentElement.dataset.content_root, location.href);
  let [box, owner, wanted, timer] = [null, null, null, 0];
  window.slrPreviews = (page, places) => {
    known[page] = places;
  };

  const linkOf = (event) =>
    event.target.closest?.('.bd-article a[href*="#"]:not(.headerlink, .backrefs a)');
  const place = (link) => {
    const to = new URL(link.href);
    const inside = to.host === home.host && to.pathname.startsWith(home.pathname);
    return inside && to.pathname.endsWith(".html") && to.hash.length > 1
      ? [to.pathname.slice(home.pathname.length, -5), decodeURIComponent(to.hash.slice(1))]
      : null;
  };
  const load = (page) =>
    (loading[page] ??= new Promise((done) => {
      const script = document.createElement("script");
      script.src = new URL(`_static/previews/${page}.js`, home).href;
      script.onload = script.onerror = () => done(known[page] ?? {});
      document.head.append(script);
    }));

  const hide = () => {
    clearTimeout(timer);
    wanted = null;
    if (!box) return;
    owner.removeAttribute("aria-describedby");
    box.remove();
    box = owner = null;
  };
  const later = (what, wait) => {
    clearTimeout(timer);
    timer = setTimeout(what, wait);
  };

  const filled = (html) => {
    const made = document.createElement("div");
    made.id = "slr-preview";
    made.className = "slr-preview";
    made.innerHTML = `<div class="bd-article">${html}</div>`;
    made.setAttribute("role", "tooltip");
    return made;
  };
  const put = (link) => {
    // below or above the link, never over it, and inside the window
    const lines = link.getClientRects();
    const [first, last] = [lines[0], lines[lines.length - 1]];
    const over = first.top - 2 * GAP,
      under = innerHeight - last.bottom - 2 * GAP;
    const down = under >= box.offsetHeight || under >= over;
    box.style.maxHeight = `${Math.max(down ? under : over, 60)}px`;
    const right = document.documentElement.clientWidth - box.offsetWidth - GAP;
    const top = down ? last.bottom + GAP : first.top - GAP - box.offsetHeight;
    box.style.left = `${scrollX + Math.max(GAP, Math.min(last.left, right))}px`;
    box.style.top = `${scrollY + top}px`;
    box.style.visibility = "visible";
  };
  const show = async (link) => {
    if (link === owner) return;
    hide();
    wanted = link;
    const [page, anchor] = place(link);
    const html = (await load(page))[anchor];
    if (wanted !== link || link === owner) return;
    if (!html) return;
    [box, owner] = [filled(html), link];
    link.removeAttribute("title");
    link.setAttribute("aria-describedby", box.id);
    document.body.append(box);
    put(link);
  };

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const link = linkOf(event);
    if (link && place(link)) later(() => show(link), 150);
    else if (box?.contains(event.target)) clearTimeout(timer);
    else if (box || wanted) later(hide, 250);
    else clearTimeout(timer);
  });
  document.addEventListener("focusin", (event) => {
    const link = linkOf(event);
    if (link?.matches(":focus-visible") && place(link)) show(link);
    else if (!box?.contains(event.target)) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  document.addEventListener("pointerdown", (event) => box?.contains(event.target) || hide(), true);
  document.addEventListener("click", (event) => linkOf(event) && hide());
  addEventListener("resize", () => owner && put(owner));
})();
