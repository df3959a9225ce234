// Runs in the head, before the page is displayed, so that nothing changes visibly afterwards.
// `slrStored` is the local storage of all scripts of a page; a browser may refuse it.
((root) => {
  window.slrStored = {
    get(name) {
      try {
        return localStorage.getItem(name);
      } catch {
        return null;
      }
    },
    set(name, value) {
      try {
        localStorage.setItem(name, value);
      } catch {}
    },
  };
  if (slrStored.get("slr-code") !== "shown") root.classList.add("slr-code-off");
  if (["", "auto"].includes(root.dataset.mode ?? "")) {
    root.dataset.mode = "auto";
    root.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }
  // The fonts are in a style sheet. The page is shown once they are loaded, so that no text moves.
  const fonts = [...document.fonts].filter(({ display }) => display === "block");
  const show = () => root.classList.remove("slr-hidden");
  root.classList.add("slr-hidden");
  Promise.all(fonts.map((font) => font.load())).then(show, show);
  if (new URLSearchParams(location.search).has("class")) {
    root.classList.add("slr-class");
    addEventListener("DOMContentLoaded", () => {
      const script = document.createElement("script");
      script.src = new URL(`${root.dataset.content_root}_static/slr-class.js`, location.href).href;
      document.head.append(script);
    });
  }
})(document.documentElement);
