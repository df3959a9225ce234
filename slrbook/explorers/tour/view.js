// The tour: six scenes on one clock. The display depends on the current second only.
const LASTS = 20; // seconds per scene
const END = SPEC.controls[0].high;
const SCENES = [wordScene, tokenScene, layerScene, descentScene, theoremScene, randomScene];
const NAMES = ["one word", "tokens", "the layer", "descent", "the theorem", "random starts"];
const STILLS = [5, 38, 59, 79, 99, 119]; // for each scene the second at which all of it is visible
const STOPS = [5, 10, 18, 24, 38, 46, 59, 62, 65, 79, 89, 99, 109, 119]; // used with reduced motion
const TEACHER = { lam: 0.1, kappa: 1, nu: 1, rule: 0 };
const SEQUENCE = sequenceOf(3601);
const sceneAt = (t) => Math.min(SCENES.length - 1, Math.floor(t / LASTS));
// Where playing begins: a scene that is shown in full restarts.
const begins = (t) => (t === END ? 0 : STILLS.includes(t) ? LASTS * sceneAt(t) : t);
const seenAt = (t, found) => SCENES[sceneAt(t)](clamp(t / LASTS - sceneAt(t), 0, 1), found);

const explorer = {
  panels: [plane(FLOW), plane(FLOW)],
  names: ["sentence", "prediction"],
  also: { t: { playing: 0 } },
  pace: 4,
  first: 0,
  inView: 1 + SCENES.length,

  next({ t }, memo) {
    const now = performance.now();
    const passed = Math.min(0.1, (now - (memo.at ?? now - 16)) / 1000);
    memo.at = now;
    return t + passed < END ? { t: +(t + passed).toFixed(3) } : { t: END, playing: 0 };
  },

  actions: [
    ({ t, playing }, memo) => {
      memo.at = undefined;
      if (playing) return { playing: 0 };
      if (calm()) return { t: STOPS.find((stop) => stop > t) ?? STOPS[0] };
      return { playing: 1, t: begins(t) };
    },
    ...STILLS.map((still, i) => ({ playing }) => ({ t: playing ? LASTS * i : still })),
  ],

  // Compute what this scene needs, and while the tour plays also what the next scene needs.
  *work({ t, playing }, memo = {}) {
    const found = (memo.found ||= {});
    const until = sceneAt(t) + (playing ? 1 : 0);
    for (let scene = 3; scene <= until; scene++) {
      const jobs = (memo.jobs ||= {});
      jobs[scene] ||= JOBS[scene]?.(found);
      while (jobs[scene] && !jobs[scene].next().done) yield found;
    }
    yield found;
  },

  draw({ t, playing }, found = {}) {
    const scene = sceneAt(t);
    const seen = seenAt(t, found);
    const { panels, labels, names, caption, link, invites, figures, tab = 0 } = seen;
    const play = begins(t) ? "play on" : "play the tour, 2 minutes";
    const clock = `${Math.floor(t / 60)}:${String(Math.floor(t % 60)).padStart(2, "0")}`;
    return {
      panels,
      labels,
      names,
      reading: caption,
      running: caption,
      tab,
      actions: [
        playing ? `❚❚ pause ${clock}` : calm() ? "next picture" : `▶ ${play}`,
        ...NAMES.map((name, i) => `${i + 1} ${name}`),
      ],
      current: scene + 1,
      onward: { href: link, words: `${invites} →` },
      figures: { scene: scene + 1, ...figures },
    };
  },
};
