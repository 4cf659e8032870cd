/** Does what the first argument says in an author's turn, or with a second in the background, and prints whom the process then tells of it. */
import { get } from 'node:http';
import { owning, owningAll, tellStrays } from '../../src/runtime/author/stray-owners.js';

const fail = (): never => {
  throw new Error('a mistake');
};
const failsSoon = async () => {
  await null;
  fail();
};
const deeds: Readonly<Record<string, () => void>> = {
  'a promise': () => void Promise.reject(new Error('a mistake')),
  'an async function': () => void failsSoon(),
  'an async function in another': () =>
    void (async () => {
      await null;
      void failsSoon();
    })(),
  'a promise in a reaction': () => void Promise.resolve().then(() => void failsSoon()),
  'a timer': () => void setTimeout(fail, 1),
  'an interval': () => {
    const timer = setInterval(() => {
      clearInterval(timer);
      fail();
    }, 1);
  },
  'an immediate': () => void setImmediate(fail),
  'a tick': () => process.nextTick(fail),
  'a microtask': () => queueMicrotask(fail),
  'a microtask in a microtask': () => queueMicrotask(() => queueMicrotask(fail)),
  'a microtask in a timer': () => void setTimeout(() => queueMicrotask(fail), 1),
  'a timer in a timer': () => void setTimeout(() => setTimeout(fail, 1), 1),
  'an async function in a timer': () => void setTimeout(failsSoon, 1),
  'a request without a listener': () => void get('http://127.0.0.1:1/'),
};
const ofNobody: Readonly<Record<string, () => void>> = {
  'a microtask of nobody': () => queueMicrotask(fail),
  'a timer of nobody': () => void setTimeout(fail, 1),
  'a promise of nobody': () => void failsSoon(),
};

const says =
  (who: string) =>
  (reason: unknown, how: string): void => {
    process.stdout.write(`${who}: ${how}, ${(reason as Error).message}\n`);
  };
const someones = { controller: '', function: '', namespace: '', name: '', rejected: says('its author') };
const [deed = '', isBackground] = process.argv.slice(2);
tellStrays(says('nobody'));
const begin = deeds[deed] ?? (() => void setTimeout(() => {}, 1));
if (isBackground) void owningAll(someones, async () => begin());
else owning(() => says('its author'), begin);
setTimeout(() => ofNobody[deed]?.(), 20);
