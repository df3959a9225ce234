// A printed page shows the content of its folds, except hints, solutions, checks and folded code.
const CLOSED =
  ":is([open], .hide, .slr-checks, .slr-checked, .slr-steps, .slr-more, .slr-folds > *)";
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details")].filter((fold) =>
    fold.matches(`article details:not(${CLOSED})`),
  );
  for (const fold of opened) fold.open = true;
});
addEventListener("afterprint", () => {
  for (const fold of opened) fold.open = false;
});
