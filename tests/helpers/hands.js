// The hands of the explorers of a page, and what a reader sees of each, in pictures and in words. It
// is waited for, as a hand may reach a busy page late: `keep` what is seen, see that a hand `changes`
// it, `goBack` to the paper's values, see that all `returns`. `everyHand` does so with each in turn, but for
// explorers that were `used` on an earlier page.
() => {
  const LONG = 180000; // milliseconds
  const explorers = [...document.querySelectorAll('.slr-explorer')];
  const all = (i, what, see) => [...explorers[i].querySelectorAll(what)].map(see).join('; ');
  const look = (i) => all(i, '.slr-panels svg', (e) => e.innerHTML)
    + all(i, '.slr-panels canvas', (e) => e.toDataURL()) + all(i, '.slr-action', (e) => e.textContent)
    + all(i, '.slr-choices button', (e) => e.getAttribute('aria-pressed'));
  const read = (i) => all(i, '.slr-reading, .slr-value', (e) => e.textContent)
    + all(i, 'select, [type=number]', (e) => e.value) + all(i, '[type=checkbox]', (e) => e.checked);
  const frame = () => new Promise(requestAnimationFrame);
  const until = async (holds) => {
    for (const end = performance.now() + LONG; performance.now() < end; await frame()) if (holds()) return true;
    return false;
  };
  const [picture, words] = [[], []];
  const rests = async (i) => {
    let [seen, still] = ['', 0];
    await until(() => {
      const [now, busy] = [look(i), String(explorers[i].ariaBusy) === 'true'];
      [seen, still] = [now, now === seen && !busy ? still + 1 : 0];
      return still > 3;
    });
  };

  const found = {}; // at rest: what can be used then
  window.hands = (i, what) => (found[`${i} ${what}`] ??= [...explorers[i].querySelectorAll(what)]
    .filter((e) => e.getAttribute('aria-disabled') !== 'true'));
  window.theHand = (i, what, n) => hands(i, what)[n];
  window.called = (e) => e.dataset.name ?? (e.getAttribute('aria-label') || e.textContent);
  const tell = (e) => ['input', 'change'].forEach((kind) => e.dispatchEvent(new Event(kind, {bubbles: true})));
  // To the paper's values; from thirty random starts to the reader's own, which the controls move;
  // in the laboratory to few steps, as it rests on a stored picture and works for seconds; its hand
  // for the steps goes to five times as many, as the million of its end took longer than all other hands.
  const few = new Set();
  window.goBack = (i) => {
    hands(i, '.slr-action').find((e) => e.textContent === 'stop comparing')?.click(); // reset keeps it
    theHand(i, '.slr-reset', 0).click();
    if (theHand(i, '.slr-action', 0)?.textContent === 'run 30 new random starts')
      theHand(i, '.slr-point', 0).dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight'}));
    if (!theHand(i, '.slr-menu', 0)) return;
    const steps = theHand(i, '[data-name=steps]', 0);
    few.add(steps);
    steps.value = Math.log10(1000);
    tell(steps);
  };
  window.keep = async (i) => {
    await rests(i);
    [picture[i], words[i]] = [look(i), read(i)];
  };
  window.changes = async (i) => {
    await until(() => look(i) !== picture[i]);
    const pause = hands(i, '.slr-action').find((e) => e.textContent.includes('pause'));
    if (pause) { // a play would go on for minutes
      await until(() => read(i) !== words[i]);
      pause.click();
    }
    await rests(i);
    return [look(i) !== picture[i], read(i) !== words[i]];
  };
  window.returns = async (i) => {
    await rests(i); // or what still runs is taken for what the next hand changes
    const plain = (text) => text.replace(/save (\w+)|(\w+) saved/g, '$1$2'); // a file stays where it is
    const same = () => plain(look(i)) === plain(picture[i]) && read(i) === words[i];
    return until(same);
  };

  // What a hand heard from the browser itself: one that was let fall on the way is used again.
  const heard = new Set();
  let listening;
  for (const kind of ['input', 'click', 'keydown', 'pointerdown'])
    addEventListener(kind, (e) => e.isTrusted && e.target === listening && heard.add(kind), {capture: true});
  window.listen = (hand) => { listening = hand; heard.clear(); };
  window.hears = async (kind) => {
    const end = performance.now() + 20000;
    while (!heard.has(kind) && performance.now() < end) await frame();
    return heard.has(kind);
  };

  const press = (e) => {
    if (e.matches('button, [type=checkbox]')) return e.click();
    if (few.has(e)) e.value = Math.log10(5000);
    else if (e.type === 'range') e.value = e.value === e.max ? e.min : e.max;
    else if (e.type === 'number') e.stepUp();
    else e.selectedIndex = (e.selectedIndex + 1) % e.length;
    tell(e);
  };
  const move = (e) => ['ArrowLeft', 'ArrowUp'].forEach((key) => e.dispatchEvent(new KeyboardEvent('keydown', {key})));
  const uses = {'input, select': press, '.slr-point': move, '.slr-action': press, '.slr-choices button': press};
  window.everyHand = async (used) => {
    const wrong = [];
    for (const i of explorers.keys()) {
      if (used.includes(explorers[i].dataset.name)) continue;
      goBack(i);
      await keep(i);
      for (const [what, use] of Object.entries(uses)) for (const hand of hands(i, what)) {
        const name = `${explorers[i].dataset.name}, ${called(hand)}`;
        use(hand);
        const [drawn, said] = await changes(i);
        if (!drawn) wrong.push(`${name}: changes no picture`);
        if (!said && what !== '.slr-action') wrong.push(`${name}: changes no words`); // a new draw may say as much
        goBack(i);
        if (!await returns(i)) wrong.push(`${name}: no way back`);
      }
    }
    return wrong;
  };
  explorers.forEach((e) => e.querySelectorAll('details').forEach((d) => (d.open = true)));
  return explorers.map((e) => e.dataset.name);
}
