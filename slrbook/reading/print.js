// A printed page shows what its folds hold, without hints, solutions, checks and folded code.
const CLOSED = ":is([open], .hide, .slr-checks, .slr-checked, .slr-steps, .slr-more, .slr-folds > *)";
/** @type {HTMLDetailsElement[]} */
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll(`article details:not(${CLOSED})`)].filter(
    (fold) => fold instanceof HTMLDetailsElement,
  );
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of opened) fold.open = false;
});
