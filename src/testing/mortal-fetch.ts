type Fetch = typeof globalThis.fetch;

/** `fetch` of one process: whoever died asks nothing and hears no answer, and whoever is stopped does so later. */
export function mortalFetch(awake: () => Promise<void>, fetch: Fetch = unreachable): Fetch {
  return async (...asked) => {
    await awake();
    try {
      return await fetch(...asked);
    } finally {
      await awake();
    }
  };
}

/** On virtual time nothing may wait for a real network. */
const unreachable: Fetch = () => Promise.reject(new Error('a test has no network: hand it a fetch of its own'));
