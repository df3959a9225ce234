// Save the display as files: the rows as a table, the panels as one self-contained picture.
function saved(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function tableOf(rows) {
  const lines = ["step,lam,oracle,run,kappa,nu,theta,eta,rho,excess_risk"];
  for (const { t, lam, oracle, all } of rows)
    all.forEach((one, run) => lines.push([t, lam, oracle, run, ...one].join(",")));
  return `${lines.join("\n")}\n`;
}

// Copy the computed style of the page to every shape.
function pictureOf(el) {
  const looks = (
    "fill stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin " +
    "paint-order opacity font-size font-family font-weight"
  ).split(" ");
  const all = [...el.querySelectorAll(".slr-panel svg")]; // two side by side
  const { width, height } = all[0].viewBox.baseVal;
  const [across, tall] = [2 * width, Math.ceil(all.length / 2) * height];
  let inside = "";
  all.forEach((svg, i) => {
    const copy = svg.cloneNode(true);
    const shapes = [...svg.querySelectorAll("*")];
    copy.querySelectorAll("*").forEach((shape, j) => {
      const style = getComputedStyle(shapes[j]);
      shape.setAttribute(
        "style",
        looks.map((look) => `${look}:${style.getPropertyValue(look).replace(/"/g, "'")}`).join(";"),
      );
      shape.removeAttribute("class");
    });
    inside += `<g transform="translate(${(i % 2) * width} ${(i >> 1) * height})">${copy.innerHTML}</g>`;
  });
  const whole = all[0].cloneNode(false); // keeps the namespace
  whole.removeAttribute("role");
  const edge = 8; // margin
  const [wide, high] = [across + 2 * edge, tall + 2 * edge];
  whole.setAttribute("width", wide);
  whole.setAttribute("height", high);
  whole.setAttribute("viewBox", `${-edge} ${-edge} ${wide} ${high}`);
  whole.setAttribute("aria-label", el.querySelector(".slr-reading").textContent);
  const rules = [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules];
    } catch {
      return []; // a style sheet that the page may not read
    }
  });
  const greek = rules.find(({ cssText }) => /^@font-face.*Slr Greek/s.test(cssText));
  const ground = getComputedStyle(el).getPropertyValue("--slr-ground");
  whole.innerHTML = `<rect x="${-edge}" y="${-edge}" width="${wide}" height="${high}" fill="${ground}"/>${greek ? `<style>${greek.cssText}</style>` : ""}${inside}`;
  return new XMLSerializer().serializeToString(whole);
}
