// On a long page large folds store their content as text in <noscript> (see folds.py). It becomes
// elements when its fold opens, when an address points into it, and before print or search.
(() => {
  const held = (where) => [...where.querySelectorAll("details > div > noscript")];
  const fill = (kept) => {
    kept.outerHTML = kept.textContent;
  };
  const fillAll = () => held(document).forEach(fill);
  const look = () => {
    const name = ` id="${location.hash.slice(1)}"`;
    const kept = held(document).find((each) => each.textContent.includes(name));
    if (!kept) return;
    fill(kept);
    const place = document.getElementById(location.hash.slice(1));
    let fold = place.closest("details");
    for (; fold; fold = fold.parentElement.closest("details")) fold.open = true;
    place.scrollIntoView();
  };
  const opened = ({ target }) => {
    const kept = held(target);
    kept.forEach(fill);
    if (kept.length) dispatchEvent(new Event("resize")); // the theme checks again what scrolls
  };
  document.addEventListener("toggle", opened, true);
  addEventListener("keydown", ({ key, ctrlKey, metaKey }) => {
    if ((ctrlKey || metaKey) && key === "f") fillAll(); // browsers search closed folds too
  });
  addEventListener("beforeprint", fillAll);
  addEventListener("hashchange", look);
  look();
})();
