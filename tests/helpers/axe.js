// What axe finds grave on the page, each finding once for its kind. Most of its work are colours:
// what is written in the same colour and size, on the same ground, in an element of the same kind is
// one question, so it is asked of the first, the middle and the last of them. The page is as before
// after its "only" look. After a "first" look it stays lightened until the "second", in other colours,
// when nothing else has changed: then axe looks at links in a text and at what was not seen before, and
// the contrast of all that is written is reckoned here, in a tenth of the time. No fault of `region`
// is grave, and preload would look for the theme's nested stylesheets beside the page.
async (which) => {
  const kept = which === 'second' ? window.kept : [];
  const instead = (e, ...nodes) => {
    kept.push([e, [...e.childNodes]]);
    e.replaceChildren(...nodes);
  };
  const more = ':is(a, [role], [tabindex], [aria-label], [aria-hidden])';

  // A formula becomes words, unless it holds more than that. In a block of code each kind of token keeps
  // one of its kind.
  const lighten = () => {
    for (const formula of document.querySelectorAll('math'))
      if (!formula.querySelector(more)) instead(formula, formula.textContent);
    for (const code of document.querySelectorAll('pre')) {
      const [copy, seen] = [code.cloneNode(true), new Set()];
      for (const token of copy.querySelectorAll('span')) {
        const kind = token.className + ' in ' + token.parentElement.className;
        const plain = !token.children.length && token.getAttributeNames().join() === 'class';
        if (plain && seen.has(kind)) token.replaceWith(token.textContent);
        if (plain && /\w\w/.test(token.textContent)) seen.add(kind); // axe passes over one letter
      }
      instead(code, ...copy.childNodes);
    }
  };

  // What lies behind an element: each ground above the page, and each layer of its own.
  const grounds = new Map([[null, '']]);
  const ground = (e) => {
    if (!grounds.has(e)) {
      const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode, position } = getComputedStyle(e);
      const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join(' ');
      const plain = own === 'rgba(0, 0, 0, 0) none 1 none normal' && /static|relative/.test(position);
      grounds.set(e, ground(e.parentElement) + (plain ? '' : ` on ${own} ${position} ${e.className}`));
    }
    return grounds.get(e);
  };
  const kindOf = (e) => {
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(e);
    const names = [e, e.parentElement].map((x) => `${x.tagName}.${x.getAttribute('class')}`);
    return [...names, color, fontSize, fontWeight, textShadow, ground(e)].join('; ');
  };
  // Contrast as axe reckons it, where a text lies on the grounds of what it stands in.
  const numbers = (colour) => colour.match(/[\d.]+/g).map((x, i) => (i < 3 && !colour.startsWith('rgb') ? 255 * x : +x));
  const over = ([r, g, b, a = 1], share, below) => [r, g, b].map((x, i) => a * share * x + (1 - a * share) * below[i]);
  const part = (x) => ((x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const contrast = (a, b) => {
    const [x, y] = [a, b].map(light).sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const layers = new Map([[null, [[255, 255, 255], 1]]]);
  const layer = (e) => { // the colour behind what stands in e, none on a picture, and how opaque e is
    if (!layers.has(e)) {
      const [below, share] = layer(e.parentElement);
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(e);
      const [own, through] = [numbers(backgroundColor), share * opacity];
      const covers = (own[3] ?? 1) * through === 1;
      const known = backgroundImage === 'none' && (below || covers);
      layers.set(e, [known ? over(own, through, below || own) : null, through]);
    }
    return layers.get(e);
  };
  const faint = (e) => {
    if (e.closest('svg, :disabled, [aria-disabled=true], [aria-hidden=true]')) return false;
    const { color, fontSize, fontWeight } = getComputedStyle(e);
    const [below, share] = layer(e);
    const size = parseFloat(fontSize);
    const enough = size >= 24 || (size >= 18.66 && fontWeight >= 700) ? 3 : 4.5;
    return below && contrast(over(numbers(color), share, below), below) < enough;
  };
  const shown = (e) => e.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const written = () => {
    const [found, words] = [new Set(), document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)];
    while (words.nextNode()) if (words.currentNode.data.trim().length > 1) found.add(words.currentNode.parentElement);
    return [...found].filter((e) => shown(e) && e.getBoundingClientRect().width > 1); // else only heard
  };
  const samples = () => {
    const kinds = new Map();
    for (const e of written()) {
      const kind = kindOf(e);
      if (!kinds.has(kind)) kinds.set(kind, []);
      kinds.get(kind).push(e);
    }
    const some = [...kinds.values()].flatMap((all) => [all[0], all[all.length >> 1], all.at(-1)]);
    return [...new Set([...some, ...document.querySelectorAll('input, select, textarea')])];
  };

  const options = { resultTypes: ['violations'], preload: false };
  const faults = [];
  const look = async (where, more) => {
    for (const { impact, id, nodes } of (await axe.run(where, { ...options, ...more })).violations)
      if (['serious', 'critical'].includes(impact)) faults.push(...nodes.map(({ html }) => [id, html]));
  };
  // A look with all rules, where only these are asked for their contrast.
  const lookAt = async (where, some) => {
    some.forEach((e) => e.setAttribute('data-asked', ''));
    await look(where, { rules: { region: { enabled: false } } });
    some.forEach((e) => e.removeAttribute('data-asked'));
  };
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-asked]' }] });
  if (which !== 'second') lighten();
  const all = [...document.body.querySelectorAll('*')].filter(shown);
  if (which === 'second') {
    const fresh = all.filter((e) => !window.lookedAt.has(e));
    if (fresh.length) await lookAt({ include: fresh }, fresh);
    await look(document, { runOnly: ['link-in-text-block'] });
    faults.push(...written().filter(faint).map((e) => ['color-contrast', e.outerHTML]));
  } else await lookAt(document, samples());
  if (which === 'first') [window.kept, window.lookedAt] = [kept, new WeakSet(all)];
  else for (const [e, nodes] of kept.reverse()) e.replaceChildren(...nodes);
  return [...new Set(faults.map(([id, html]) => `${id}: ${html.slice(0, 160)}`))];
}
