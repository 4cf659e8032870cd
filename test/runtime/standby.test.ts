import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sleep } from '../../src/kube/clock.js';
import { Memcached, memcached } from '../../src/operators/memcached.js';
import { silentTelemetry } from '../../src/runtime/telemetry/telemetry.js';
import { type Run, runOn } from './a-run.js';

const cache = (name: string) => ({
  apiVersion: Memcached.apiVersion,
  kind: Memcached.kind,
  metadata: { name },
  spec: { size: 0 },
});

describe('a standby', () => {
  let run: Run;
  let elect: () => void;
  let depth: () => number;
  const created: string[] = [];
  beforeEach(async () => {
    created.length = 0;
    const elected = new Promise<void>((resolve) => {
      elect = resolve;
    });
    const telemetry = {
      ...silentTelemetry,
      controller: (...[name, facts]: Parameters<typeof silentTelemetry.controller>) => {
        depth = facts.depth;
        return silentTelemetry.controller(name, facts);
      },
    };
    const slow = { lead: () => elected, telemetry, maxConcurrentReconciles: 1 };
    run = await runOn(
      [memcached],
      (server) => ({
        create: async (resource, manifest, options) => {
          if (resource.kind === 'Deployment') created.push(manifest.metadata.name);
          await sleep(run.cluster.clock, 1000);
          return server.create(resource, manifest, options);
        },
      }),
      slow,
    );
    for (let index = 0; index < 10; index++) await run.cluster.apply(cache(`old-${index}`));
  });
  afterEach(() => run.stop());

  it('has nothing to do, whatever happens', () => {
    expect(depth()).toBe(0);
  });

  it('looks at everything once it leads, and first at what is new then', async () => {
    elect();
    await run.cluster.advance(0);
    expect(depth()).toBe(9);
    await run.cluster.apply(cache('new'));
    await run.cluster.settled();
    expect(created).toHaveLength(11);
    expect(created.indexOf('new-server')).toBe(1);
  });

  it('says why it looked, and what it did', async () => {
    elect();
    await run.cluster.settled();
    await run.cluster.apply(cache('new'));
    await run.cluster.settled();
    const reasons = run.lines.filter(({ msg }) => msg === 'Reconciled').map((line) => [line.name, line.reasons]);
    expect(reasons).toHaveLength(11);
    expect(reasons[0]).toEqual(['old-0', ['the controller begins']]);
    expect(reasons.at(-1)).toEqual(['new', ['Memcached added']]);
  });
});
