import type { FaultStep, Named, Schedule, WorkloadStep } from './schedule.js';

/** Some steps that belong together. */
export type Scene = Pick<Schedule, 'workload' | 'faults'>;

/** What a squatter has. */
export const foreign = { metadata: { labels: { role: 'squatter' } }, data: { foreign: 'not yours' } };

/** The child of a Site that has this suffix. */
export function page(namespace: string, suffix: string): Named {
  return { kind: 'ConfigMap', namespace, name: `a-${suffix}` };
}

/** What a Report about `topic` has a chapter of. */
export function noteAbout(topic: string, text: string) {
  return { metadata: { labels: { role: 'input', topic } }, data: { text: Buffer.from(text).toString('base64') } };
}

export function siteOf(at: number, namespace: string, spec: Readonly<Record<string, unknown>>): WorkloadStep {
  return { at, do: 'apply', object: { kind: 'Site', namespace, name: 'a' }, body: { spec } };
}

/** The watch of a kind is told that it is too late; with more than one time, so is the list that follows, in other words. */
export function listAnew(at: number, kind: string, times: number): FaultStep[] {
  const match = { verb: 'watch', kind } as const;
  return [
    { at, to: 0, fault: 'refuse', match, code: 410, times: 1 },
    ...(times > 1 ? [{ at, to: 0, fault: 'refuse', match, code: 500, times: times - 1 } as const] : []),
    { at: at + 0.1, to: 0, fault: 'break', kind },
  ];
}
