// A text box for the reader's own sentence, which the kernel evaluates. Static pages have none.
explorer.attach = ({ model, el, refresh, memo }) => {
  if (!model.get("types")) return () => {};
  const box = document.createElement("label");
  box.className = "slr-control";
  box.innerHTML =
    '<span class="slr-name">or type a sentence, then Enter</span><input type="text" data-lm-suppress-shortcuts="true">';
  el.querySelector(".slr-foot").before(box);
  const field = box.querySelector("input");
  const send = (words) => {
    model.set("sentence", words);
    model.save_changes();
  };
  const hear = () => {
    memo.typed = model.get("typed");
    memo.sentence = model.get("sentence");
    field.value = model.get("sentence");
    refresh();
  };
  const leave = (event) => {
    if (!model.get("sentence")) return;
    event.stopImmediatePropagation(); // the button would also change the menus
    send("");
  };
  const enter = () => {
    field.value = field.value.trim();
    if (field.value !== model.get("sentence")) send(field.value);
  };
  field.addEventListener("change", enter);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.stopPropagation(); // in JupyterLab, Enter has another function and fires no change event
    enter();
  });
  el.querySelector(".slr-action").addEventListener("click", leave, true);
  el.querySelector(".slr-reset").addEventListener("click", () => send(""));
  model.on("change:typed", hear);
  hear();
  return () => model.off("change:typed", hear);
};
