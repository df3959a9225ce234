// The answer boxes of the exercises: checked here, stored only on the reader's own machine.
addEventListener("DOMContentLoaded", () => {
  const name = "slr-answers";
  const kept = () => JSON.parse(slrStored.get(name)) ?? {};
  const keep = (label, words) =>
    slrStored.set(name, JSON.stringify({ ...kept(), [label]: words || undefined }));
  // Usual number formats: also 0,5 and 1/2 and −3.
  const number = (words) => {
    const plain = words
      .trim()
      .replace(/[−–]/g, "-")
      .replace(/([1-9]\d{0,2})[\s,](?=\d{3}(\D|$))/g, "$1")
      .replace(",", ".");
    const [, top, under] = /^([-+\d.eE]+)(?:\s*\/\s*([\d.]+))?$/.exec(plain) ?? [];
    return top ? Number(top) / Number(under ?? 1) : NaN;
  };
  for (const form of document.querySelectorAll(".slr-answer")) {
    const { label, truth, within, wrong } = JSON.parse(form.dataset.answer);
    const [fields, output] = [form.elements[label], form.querySelector("output")];
    const verdict = (words) => {
      const given = number(words);
      const near = (value, room) => Math.abs(given - value) <= room * Math.abs(value) + 1e-9;
      const known = wrong.find(([value]) => near(value, within));
      if (!words) return ["", ""];
      if (Number.isNaN(given)) return ["wrong", "A number is asked for, such as 0.25 or 1/4."];
      if (near(truth, within)) return ["right", "Right."];
      return ["wrong", known ? `Not that. ${known[1]}` : "Not that. A hint may help."];
    };
    const tell = (words) => {
      const [kind, said] = verdict(words);
      form.dataset.verdict = kind;
      output.textContent = said;
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      keep(label, fields.value);
      tell(fields.value);
    });
    const before = kept()[label];
    if (typeof before !== "string") continue;
    fields.value = before;
    tell(before);
  }
});
