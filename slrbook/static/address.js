// The state in the address of a page: #landscape:lam=0.2&nu0=0.3;puzzle:steps=5000. Each explorer
// stands there with what differs from the paper's values, the last one touched first. An anchor
// has no colon and is left alone.
const ADDRESS = /^([a-z]\w*):(.*)$/;

// [name, what is given, the whole part] of each explorer in the address.
function parts() {
  let words = location.hash.slice(1);
  try {
    words = decodeURIComponent(words);
  } catch {} // a stray per cent sign
  return words.split(";").flatMap((part) => {
    const [, name, given] = ADDRESS.exec(part) || [];
    return name
      ? [[name, Object.fromEntries(given.split("&").map((pair) => pair.split("="))), part]]
      : [];
  });
}

// Whole values of a spec, from what an address gives; what it cannot mean is the paper's.
function arrived(spec, given) {
  return Object.fromEntries(
    spec.controls.map(({ name, paper, low, high, whole }) => {
      const value = given[name] ? clamp(+given[name], low, high) : paper;
      return [name, Number.isFinite(value) ? (whole ? Math.round(value) : value) : paper];
    }),
  );
}

// What a reader types, within an address, and back: neither & nor = nor ; is left in it.
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

// The address with the state of one explorer, or, if `values` is nothing, without it.
function addressWith(name, spec, values) {
  const all = parts()
    .filter(([there]) => there !== name)
    .map(([, , part]) => part);
  if (values) all.unshift(segment(name, spec, values));
  return `${location.href.split("#")[0]}${all.length ? `#${all.join(";")}` : ""}`;
}

const woken = {}; // the explorers of this page

// An explorer that waits for addresses. A page comes to rest late, so it is scrolled to once more.
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
    // What the address bar shows once a hand rests; the link to it.
    leave(values) {
      try {
        const address = addressWith(name, spec, same(values) ? null : values);
        history.replaceState(history.state, "", address);
      } catch {} // where a page may not
      return addressWith(name, spec, values);
    },
  };
}
