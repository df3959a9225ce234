// What is seen as files: the rows as a table, the panels as one picture that stands alone.
function saved(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function tableOf(rows) {
  const lines = ["step,lam,oracle,run,kappa,nu,theta,eta,rho,excess_risk"];
  for (const { t, lam, oracle, all } of rows) all.forEach((one, run) => lines.push([t, lam, oracle, run, ...one].join(",")));
  return `${lines.join("\n")}\n`;
}

// Every shape carries the looks that the page gives it.
function pictureOf(el) {
  const looks = ["fill", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity", "font-size", "font-family"];
  let [across, tall, inside] = [0, 0, ""];
  for (const svg of el.querySelectorAll(".slr-panel svg")) {
    const { width, height } = svg.viewBox.baseVal;
    const copy = svg.cloneNode(true);
    const shapes = [...svg.querySelectorAll("*")];
    copy.querySelectorAll("*").forEach((shape, i) => {
      const style = getComputedStyle(shapes[i]);
      shape.setAttribute("style", looks.map((look) => `${look}:${style.getPropertyValue(look).replace(/"/g, "'")}`).join(";"));
      shape.removeAttribute("class");
    });
    inside += `<g transform="translate(${across} 0)">${copy.innerHTML}</g>`;
    [across, tall] = [across + width, Math.max(tall, height)];
  }
  const whole = el.querySelector(".slr-panel svg").cloneNode(false); // it knows its namespace
  whole.removeAttribute("role");
  whole.setAttribute("viewBox", `0 0 ${across} ${tall}`);
  whole.setAttribute("aria-label", el.querySelector(".slr-reading").textContent);
  const ground = getComputedStyle(el).getPropertyValue("--slr-ground");
  whole.innerHTML = `<rect width="${across}" height="${tall}" fill="${ground}"/>${inside}`;
  return new XMLSerializer().serializeToString(whole);
}
