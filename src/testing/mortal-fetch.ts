type Fetch = typeof globalThis.fetch;

/** `fetch` of one process: whoever died asks nothing and hears no answer. */
export function mortalFetch(lives: () => boolean, fetch: Fetch = unreachable): Fetch {
  const silence = new Promise<never>(() => {});
  return async (...asked) => {
    if (!lives()) return silence;
    const answer = await fetch(...asked);
    return lives() ? answer : silence;
  };
}

/** On virtual time nothing may wait for a real network. */
const unreachable: Fetch = () => Promise.reject(new Error('a test has no network: hand it a fetch of its own'));
