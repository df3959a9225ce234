// The switch "Show code" of the header, for the whole site, and the copy button of a card.
addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement;
  const switches = [...document.querySelectorAll(".slr-show-code")];
  const show = (shown) => {
    root.classList.toggle("slr-code-off", !shown);
    for (const each of switches) each.setAttribute("aria-pressed", shown);
    dispatchEvent(new Event("resize")); // the theme looks again at what scrolls
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
  addEventListener("storage", (event) => {
    // another page of the book, open beside this one
    if (event.key === "slr-code") show(event.newValue === "shown");
  });
  for (const button of document.querySelectorAll(".slr-copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const command = button.previousElementSibling;
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = "Copied";
      } catch {
        // refused, or a page opened from a file: leave it selected, ready for Ctrl-C
        getSelection().selectAllChildren(command);
        button.textContent = "Selected";
      }
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
  }
});
