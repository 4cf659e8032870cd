/**
 * Bends the time of one process, by `--import file:///…/bent-clock.js?rate=2&jump=3600`, as faketime does where it is there.
 *
 * With `rate` its clocks, of the wall and monotonic, and its timers run so many times as fast as they should. With each
 * SIGUSR2 its wall clock jumps by `jump` seconds. What is bent is all by which JavaScript tells time: `Date`, `performance`,
 * `process.hrtime` and timers. Not bent are the kernel's own timeouts, of which a controller has none but keep-alive.
 */
const asked = new URL(import.meta.url).searchParams;
const rate = Number(asked.get('rate') ?? 1);
const jumpSeconds = Number(asked.get('jump') ?? 0);

const trueNow = Date.now;
const trueMonotonic = performance.now.bind(performance);
const TrueDate = Date;
const began = { wall: trueNow(), monotonic: trueMonotonic() };
let skew = 0;

const monotonic = () => began.monotonic + (trueMonotonic() - began.monotonic) * rate;
const wall = () => Math.floor(began.wall + (monotonic() - began.monotonic) + skew);

process.on('SIGUSR2', () => {
  skew += jumpSeconds * 1000;
});

globalThis.Date = class BentDate extends TrueDate {
  constructor(...given) {
    super(...(given.length === 0 ? [wall()] : given));
  }
  static now() {
    return wall();
  }
};
performance.now = monotonic;
process.hrtime = Object.assign(
  (since = [0, 0]) => {
    const nanoseconds = process.hrtime.bigint() - BigInt(since[0]) * 1_000_000_000n - BigInt(since[1]);
    return [Number(nanoseconds / 1_000_000_000n), Number(nanoseconds % 1_000_000_000n)];
  },
  { bigint: () => BigInt(Math.round(monotonic() * 1e6)) },
);
for (const name of ['setTimeout', 'setInterval']) {
  const start = globalThis[name];
  globalThis[name] = (run, milliseconds = 1, ...rest) => start(run, milliseconds / rate, ...rest);
}
