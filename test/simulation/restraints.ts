import type { KubeObject } from '../../src/kube/manifest.js';

/** What docs/drift.md and docs/stuck.md promise of annotations is said here once more, and not asked of the code that is judged by it. */
export const restraint = {
  suspension: 'sim.example.com/reconcile',
  mode: 'sim.example.com/mode',
  end: 'sim.example.com/mode-until',
} as const;

/** How a person keeps the children of a custom resource from being written to; `now` is in milliseconds since the epoch. */
export function restraintOf({ metadata }: KubeObject, now: number): 'suspended' | 'report' | 'ignore' | undefined {
  const said = metadata.annotations ?? {};
  if (said[restraint.suspension] === 'suspended') return 'suspended';
  const [mode, end] = [said[restraint.mode], said[restraint.end]];
  if (mode !== 'report' && mode !== 'ignore') return undefined;
  return end === undefined || Date.parse(end) > now ? mode : undefined;
}
