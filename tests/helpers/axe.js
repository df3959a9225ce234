// [what axe finds grave, the kinds of text]: each finding once for its kind, by all rules or by `only` some.
// Most of its work are colors: what is written in the same color and size, on the same ground, in an
// element of the same kind is one question, so it is asked of the first, the middle and the last of
// them, and not again of a kind that is `known` from an earlier page. The page is as before afterwards. No fault of `region` is grave, and preload would look for the
// theme's nested stylesheets beside the page.
async ([only, known]) => {
  const kept = [];
  const instead = (e, ...nodes) => {
    kept.push([e, [...e.childNodes]]);
    e.replaceChildren(...nodes);
  };
  const more = ':is(a, [role], [tabindex], [aria-label], [aria-hidden])';

  // A formula becomes words, unless it holds more than that. In a block of code each kind of token keeps
  // one of its kind.
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
  const kinds = new Map();
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const e = words.currentNode.parentElement;
    if (words.currentNode.data.trim().length < 2) continue;
    if (!e.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const { color, fontSize, fontWeight, textShadow } = getComputedStyle(e);
    const names = [e, e.parentElement].map((x) => `${x.tagName}.${x.getAttribute('class')}`);
    const kind = [...names, color, fontSize, fontWeight, textShadow, ground(e)].join('; ');
    if (!kinds.has(kind)) kinds.set(kind, []);
    kinds.get(kind).push(e);
  }
  const fresh = [...kinds].filter(([kind]) => !known.includes(kind)).map(([, all]) => all);
  const some = fresh.flatMap((all) => [all[0], all[all.length >> 1], all.at(-1)]);
  some.push(...document.querySelectorAll('input, select, textarea'));
  some.forEach((e) => e.setAttribute('data-asked', ''));

  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-asked]' }] });
  const which = only ? { runOnly: only } : { rules: { region: { enabled: false } } };
  const { violations } = await axe.run(document, { resultTypes: ['violations'], preload: false, ...which });
  some.forEach((e) => e.removeAttribute('data-asked'));
  for (const [e, nodes] of kept.reverse()) e.replaceChildren(...nodes);
  const grave = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
  const found = grave.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  return [found, [...kinds.keys()]];
}
