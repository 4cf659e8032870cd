import type { ServerCosts } from './embedded.js';
import { atLeast, atMost, type Mark } from './marks.js';
import { spreadOf } from './spread.js';

/** What the embedded API server is held to, beside the real one of the same round. */
export function embeddedMarks(servers: readonly ServerCosts[]): Mark[] {
  const [inProcess, overHttp, real] = ['embedded, in process', 'embedded, over HTTPS', 'kube-apiserver and etcd'].map(
    (name) => servers.find(({ server }) => server === name),
  );
  if (!inProcess || !overHttp || !real) return [];
  const ratios = inProcess.appliesPerSecond.flatMap((rate, round) => {
    const theirs = real.appliesPerSecond[round];
    return theirs === undefined ? [] : [rate / theirs];
  });
  const marks = [
    atMost('embedded server in process, ready, ms', 200, spreadOf(inProcess.readyMilliseconds), 0),
    atMost('embedded server over HTTPS, ready, ms', 300, spreadOf(overHttp.readyMilliseconds), 0),
    atLeast('embedded server in process, applies ÷ kube-apiserver', 10, spreadOf(ratios), 1),
  ];
  return marks.flatMap((mark) => mark ?? []);
}
