import { describe, expect, it } from '@jest/globals';
import { EmbeddedServer } from '../../../../src/embedded/embedded-server.js';
import { asJson, type Judged } from '../bodies/judged.js';
import { cronJobs, jobs } from './bodies/jobs.js';
import { pods } from './bodies/pods.js';
import {
  daemonSets,
  deployments,
  podTemplates,
  replicaSets,
  replicationControllers,
  statefulSets,
} from './bodies/replicas.js';

const all: readonly Judged[] = [pods, podTemplates, deployments, replicaSets, statefulSets, daemonSets].concat([
  replicationControllers,
  jobs,
  cronJobs,
]);

describe('the defaults of workloads', () => {
  const { kinds } = new EmbeddedServer({ controllers: false });

  it.each(all)('of a $kind change nothing that has them', ({ kind: name, bodies }) => {
    const kind = kinds.all.find((each) => each.kind === name)!;
    for (const [title, body] of bodies) {
      const { object } = kind.shape.decode(asJson({ apiVersion: 'x', kind: name, ...body }));
      kind.rules.default?.(object);
      const once = structuredClone(object);
      kind.rules.default?.(object);
      expect([title, object]).toEqual([title, once]);
      // What was stored is decoded again whenever it is changed, and must come out as it was.
      const again = kind.shape.decode(asJson(JSON.parse(JSON.stringify(once)))).object;
      kind.rules.default?.(again);
      expect([title, again]).toEqual([title, once]);
    }
  });
});
