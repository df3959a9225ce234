// The foot of an explorer: the link to what is seen, the same as Python, and on a phone the tabs.

// The lines of Python that find what is seen: the template of the spec with its numbers.
function pythonOf(spec, view, values, figures) {
  const known = { ...values, ...view.python?.(values, figures) };
  const lines = spec.python.replaceAll("§", "im" + "port ");
  return lines.replace(/\{(\w+)\}/g, (_, name) => known[name] ?? _);
}

// A Python list, broken into lines.
function listed(items) {
  let [text, length] = ["", 0];
  items.forEach((item, i) => {
    const words = `${item}${i < items.length - 1 ? "," : ""}`;
    const breaks = length + words.length > 72;
    text += `${i ? (breaks ? "\n    " : " ") : ""}${words}`;
    length = breaks ? words.length : length + words.length + 1;
  });
  return `[${text}]`;
}

// Into the clipboard, where there is one.
async function copied(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
}

function holdFoot(el, code, { page, values, python }) {
  const [link, lines, about] = ["link", "lines", "about"].map((name) => el.querySelector(`.slr-${name}`));
  const say = (button, words, usual) => {
    button.textContent = words;
    setTimeout(() => (button.textContent = usual), 1500);
  };
  link.hidden = !page;
  link.addEventListener("click", async () => {
    const address = page.leave(values());
    say(link, (await copied(address)) ? "copied" : "see the address", "copy link");
  });
  lines.addEventListener("click", async () => {
    code.hidden = !code.hidden;
    lines.setAttribute("aria-expanded", !code.hidden);
    if (code.hidden) return;
    code.textContent = python();
    if (await copied(code.textContent)) say(lines, "copied", "as Python");
  });
  about.addEventListener("click", () => {
    const told = el.querySelector(".slr-box").classList.toggle("slr-told");
    about.setAttribute("aria-expanded", told);
  });
  const [panels, tabs] = [el.querySelector(".slr-panels"), [...el.querySelectorAll(".slr-tabs button")]];
  const turn = (chosen) => {
    panels.dataset.tab = chosen;
    tabs.forEach((other, i) => other.setAttribute("aria-pressed", i === chosen));
  };
  tabs.forEach((tab, chosen) => tab.addEventListener("click", () => turn(chosen)));
  return turn;
}
