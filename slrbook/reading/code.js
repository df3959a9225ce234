// The switch "Show code" in the header, for the whole site.
addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement;
  const switches = [...document.querySelectorAll(".slr-show-code")];
  const show = (shown) => {
    root.classList.toggle("slr-code-off", !shown);
    for (const each of switches) each.setAttribute("aria-pressed", shown);
    dispatchEvent(new Event("resize")); // the theme checks again what scrolls
  };
  for (const each of switches) {
    each.setAttribute("aria-pressed", String(!root.classList.contains("slr-code-off")));
    each.addEventListener("click", () => {
      const shown = root.classList.contains("slr-code-off");
      const top = each.getBoundingClientRect().top;
      show(shown);
      scrollBy({ top: each.getBoundingClientRect().top - top, behavior: "instant" });
      slrStored.set("slr-code", shown ? "shown" : "hidden");
    });
  }
});
