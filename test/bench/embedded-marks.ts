import type { ServerCosts } from './embedded.js';
import { atLeast, atMost, type Mark } from './mark.js';

/** What the embedded API server is held to, beside the real one of the same round. */
export function embeddedMarks(servers: readonly ServerCosts[]): Mark[] {
  const [inProcess, overHttp, real] = ['embedded, in process', 'embedded, over HTTPS', 'kube-apiserver and etcd'].map(
    (name) => servers.find(({ server }) => server === name),
  );
  const ratios = (inProcess?.appliesPerSecond ?? []).map((rate, round) => {
    const theirs = real?.appliesPerSecond[round];
    return theirs === undefined ? undefined : rate / theirs;
  });
  return [
    atMost('embedded server in process, ready, ms', 200, inProcess?.readyMilliseconds ?? [], 0),
    atMost('embedded server over HTTPS, ready, ms', 300, overHttp?.readyMilliseconds ?? [], 0),
    atLeast('embedded server in process, applies ÷ kube-apiserver', 10, ratios, 1),
  ];
}
