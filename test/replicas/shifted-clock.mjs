// `node --import shifted-clock.mjs?ahead=MILLIS&speed=FACTOR` runs with a clock that is ahead; at another speed, as a whole machine.
const { searchParams } = new URL(import.meta.url);
const ahead = Number(searchParams.get("ahead") ?? 0);
const speed = Number(searchParams.get("speed") ?? 1);

const RealDate = Date;
const started = RealDate.now();
const shifted = () => Math.round(started + ahead + (RealDate.now() - started) * speed);
globalThis.Date = class extends RealDate {
  constructor(...words) {
    if (words.length === 0) super(shifted());
    else super(...words);
  }
  static now() {
    return shifted();
  }
};

const counter = performance.now.bind(performance);
performance.now = () => counter() * speed;
const realTimeout = globalThis.setTimeout;
if (speed !== 1) globalThis.setTimeout = (call, millis, ...words) => realTimeout(call, millis / speed, ...words);
