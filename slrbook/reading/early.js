// Runs in the head, before anything is drawn, so that nothing changes under the reader's eyes.
((root) => {
  const kept = (name) => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  };
  if (kept("slr-code") !== "shown") root.classList.add("slr-code-off");
  if (["", "auto"].includes(root.dataset.mode ?? "")) {
    root.dataset.mode = "auto";
    root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
})(document.documentElement);
