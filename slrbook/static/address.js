// The state in the address of a page: #landscape:lam=0.2&nu0=0.3;puzzle:steps=5000. Each explorer
// is listed with the values that differ from the paper's, the most recently used one first. An
// anchor contains no colon and is ignored.
const ADDRESS = /^([a-z]\w*):(.*)$/;

// [name, given values, the whole part] for each explorer in the address.
function parts() {
  let words = location.hash.slice(1);
  try {
    words = decodeURIComponent(words);
  } catch {} // invalid percent encoding
  return words.split(";").flatMap((part) => {
    const [, name, given] = ADDRESS.exec(part) || [];
    return name
      ? [[name, Object.fromEntries(given.split("&").map((pair) => pair.split("="))), part]]
      : [];
  });
}

// All values of a spec from those in an address; invalid ones are replaced by the paper's.
function arrived(spec, given) {
  return Object.fromEntries(
    spec.controls.map(({ name, paper, low, high, whole }) => {
      const value = given[name] ? clamp(+given[name], low, high) : paper;
      return [name, Number.isFinite(value) ? (whole ? Math.round(value) : value) : paper];
    }),
  );
}

// Encode and decode the reader's text within an address: the result contains no &, = or ;.
const sealed = (words) => encodeURIComponent(words).replaceAll("%20", "+").replaceAll("%", "%25");
function unsealed(words) {
  try {
    return decodeURIComponent(words.replaceAll("+", " "));
  } catch {
    return "";
  }
}

function segment(name, spec, values) {
  const other = spec.controls.filter((c) => c.name !== "playing" && values[c.name] !== c.paper);
  const pairs = other.map((c) => `${c.name}=${values[c.name]}`);
  for (const text of textsOf(spec)) if (values[text]) pairs.push(`${text}=${sealed(values[text])}`);
  return `${name}:${pairs.join("&")}`;
}

// The address with the state of one explorer, or without it if `values` is null.
function addressWith(name, spec, values) {
  const all = parts()
    .filter(([there]) => there !== name)
    .map(([, , part]) => part);
  if (values) all.unshift(segment(name, spec, values));
  return `${location.href.split("#")[0]}${all.length ? `#${all.join(";")}` : ""}`;
}

const woken = {}; // the active explorers of this page

// Let an explorer follow the address. The layout of a page settles late, so it scrolls twice.
function travel(el, spec, start, model) {
  const { name } = el.dataset;
  const same = (values) =>
    !textsOf(spec).some((text) => values[text]) &&
    spec.controls.every((c) => c.name === "playing" || values[c.name] === start[c.name]);
  woken[name] = true;
  let moved = false;
  const first = () => parts().find(([there]) => there in woken)?.[0];
  const scroll = () => !moved && first() === name && el.scrollIntoView();
  const arrive = () => {
    const [, given] = parts().find(([there]) => there === name) || [];
    if (!given) return;
    for (const [key, value] of Object.entries(arrived(spec, given))) model.set(key, value);
    for (const text of textsOf(spec)) model.set(text, given[text] ? unsealed(given[text]) : "");
    moved = false;
    scroll();
  };
  for (const hand of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(hand, () => (moved = true), { passive: true });
  }
  addEventListener("hashchange", arrive);
  addEventListener("load", scroll);
  arrive();
  return {
    // Update the address bar after input has stopped; returns the link to this state.
    leave(values) {
      try {
        const address = addressWith(name, spec, same(values) ? null : values);
        history.replaceState(history.state, "", address);
      } catch {} // where a page is not allowed to
      return addressWith(name, spec, values);
    },
  };
}
