// Copying a formula gives its TeX.
(() => {
  const around = (node) =>
    (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest(".math");
  document.addEventListener("copy", (event) => {
    const chosen = getSelection();
    if (chosen.isCollapsed) return;
    const range = chosen.getRangeAt(0).cloneRange();
    const [first, last] = [around(range.startContainer), around(range.endContainer)];
    if (first) range.setStartBefore(first);
    if (last) range.setEndAfter(last);
    const box = document.createElement("div");
    box.append(range.cloneContents());
    const formulas = box.querySelectorAll(".math");
    if (!formulas.length) return;
    event.clipboardData.setData("text/html", box.innerHTML);
    for (const each of formulas) {
      const mark = each.matches("div") ? "$$" : "$";
      each.replaceChildren(`${mark}${each.dataset.tex}${mark}`);
      if (each.localName === "math") each.replaceWith(...each.childNodes);
    }
    document.body.append(box); // text outside the page has no line breaks
    event.clipboardData.setData("text/plain", box.innerText);
    box.remove();
    event.preventDefault();
  });
})();
