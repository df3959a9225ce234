// `?class` in the address, for a lecture room: one explorer fills the window, solutions are hidden,
// and a QR code leads to the displayed state. Arrows and Page Up or Down change the explorer;
// Escape leaves. In a slide this page is a frame: it posts these keys and N to the slides.
(() => {
  const slides = window.parent === window ? null : window.parent;
  const root = document.documentElement;
  const all = [...document.querySelectorAll(".slr-explorer")];
  const partOf = (el) => {
    const parts = decodeURIComponent(location.hash.slice(1)).split(";");
    return parts.find((part) => part.startsWith(`${el.dataset.name}:`)) || `${el.dataset.name}:`;
  };
  if (!all.length) return;

  const stage = document.createElement("dialog");
  stage.className = "slr-stage";
  stage.ariaLabel = "Explorers for a class";
  stage.innerHTML = `<div class="slr-shown"></div><aside><div class="slr-qr"></div>
<div class="slr-foot"><button type="button" class="slr-before" aria-label="previous explorer">‹</button>
<output></output><button type="button" class="slr-after" aria-label="next explorer">›</button>
<button type="button" class="slr-leave">leave</button></div></aside>`;
  document.body.append(stage);
  const find = (name) => stage.querySelector(name);
  find(".slr-foot").hidden = slides !== null;
  root.classList.toggle("slr-slide", slides !== null);
  if (slides) document.head.insertAdjacentHTML("beforeend", '<base target="_blank">'); // for links
  const gap = document.createComment("the explorer that is shown"); // its original position
  let at = 0;

  function code() {
    const canonical = document.querySelector("link[rel=canonical]")?.getAttribute("href");
    const address = `${canonical || location.href.split(/[?#]/)[0]}#${partOf(all[at])}`;
    const rows = address.startsWith("file:") ? undefined : qr(address);
    find(".slr-qr").hidden = !rows;
    if (!rows) return;
    const path = rows
      .map((row, y) => row.map((dark, x) => (dark ? `M${x},${y}h1v1h-1z` : "")).join(""))
      .join("");
    const size = rows.length + 8;
    find(".slr-qr").innerHTML =
      `<svg role="img" viewBox="-4 -4 ${size} ${size}" shape-rendering="crispEdges"><rect x="-4" y="-4" width="100%" height="100%" fill="#fff"/><path d="${path}" fill="#000"/></svg>`;
    find(".slr-qr svg").setAttribute("aria-label", `QR code of ${address}`);
  }

  function back() {
    if (gap.isConnected) gap.replaceWith(...find(".slr-shown").childNodes);
  }

  function show(next) {
    back();
    at = (next + all.length) % all.length;
    const el = all[at];
    const fold = el.nextElementSibling;
    el.before(gap);
    find(".slr-shown").append(el);
    if (fold?.matches(".slr-steps")) find(".slr-shown").append(fold);
    find("aside output").textContent = `${at + 1} of ${all.length}`;
    find(".slr-shown").scrollTop = 0;
    code();
  }

  function leave() {
    if (slides) return;
    back();
    stage.close();
    root.classList.remove("slr-class");
    const here = new URL(location.href);
    here.searchParams.delete("class");
    history.replaceState(history.state, "", here);
    all[at].scrollIntoView();
  }

  find(".slr-before").addEventListener("click", () => show(at - 1));
  find(".slr-after").addEventListener("click", () => show(at + 1));
  find(".slr-leave").addEventListener("click", leave);
  // Escape closes an open element of the explorer (see foot.js), and otherwise leaves.
  let opened = null;
  const look = ({ key }) => {
    if (key === "Escape")
      opened = document.activeElement.closest("details[open], .slr-code, [aria-expanded=true]");
  };
  stage.addEventListener("keydown", look, true);
  stage.addEventListener("keydown", (event) => {
    const { key } = event;
    const held = document.activeElement.closest(
      "input, select, textarea, pre, .slr-point, .slr-choices",
    );
    const step = { PageDown: 1, PageUp: -1, ArrowRight: 1, ArrowLeft: -1 }[key];
    const turns = step && !(held && key.startsWith("Arrow"));
    if (slides && (turns || (key === "n" && !held))) slides.postMessage({ slideKey: key }, "*");
    else if (key === "Escape" && !opened) leave();
    else if (turns) show(at + step);
    else if (key !== "Escape") return;
    event.preventDefault();
  });
  stage.addEventListener("cancel", (event) => {
    event.preventDefault();
    leave();
  });
  // Input updates the address (see address.js), and the address determines the QR code.
  const replace = history.replaceState.bind(history);
  history.replaceState = (...given) => {
    replace(...given);
    if (stage.open) code();
  };
  const first = all.findIndex((el) => location.hash.includes(`${el.dataset.name}:`));
  show(Math.max(first, 0));
  stage.showModal();
  stage.tabIndex = -1;
  (slides ? stage : find(".slr-after")).focus(); // in a slide no control is outlined
})();
