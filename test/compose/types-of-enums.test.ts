import { describe, expect, it } from '@jest/globals';
import { Deployment, Pod } from '../../imports/k8s.js';
import { customResource, many, operator, s } from '../../src/index.js';

/** Checked by the compiler and never called: these mistakes would throw. */
const never = (_: () => unknown) => undefined;

describe('what the compiler takes for a value of an enum', () => {
  it('is a text as status writes it', () => {
    const phase = s.enum(['Draining', 'Running']);
    const status = s.object({
      phase,
      last: s.object({ phase }, { optional: true }),
      members: s.array(s.object({ name: s.string(), phase }), { optional: true }),
    });
    const Ring = customResource({ group: 'a.io', version: 'v1', kind: 'Ring', spec: s.object({}), status });
    const made = operator(Ring, {
      owns: [Deployment],
      reads: { pods: many(Pod, () => ({ labels: {} })) },
      compose: (scope) => ({ server: new Deployment(scope, 'server', {}) }),
      status({ server }, { pods }) {
        if (server === undefined) return { phase: 'Draining' };
        return {
          phase: server.status?.readyReplicas === 1 ? 'Running' : 'Draining',
          last: { phase: 'Running' },
          members: pods.map(({ metadata: { name }, status }) => ({ name, phase: status ? 'Running' : 'Draining' })),
        };
      },
    });
    expect(made.owns).toEqual([Deployment]);
    const compose = () => undefined;
    // @ts-expect-error no such phase
    never(() => operator(Ring, { owns: [], compose, status: () => ({ phase: 'Walking' }) }));
    const deep = { owns: [], compose };
    // @ts-expect-error no such phase, deep down
    never(() => operator(Ring, { ...deep, status: () => ({ phase: 'Running', last: { phase: 'Walking' } }) }));
    // @ts-expect-error no such field, beside an enum
    never(() => operator(Ring, { owns: [], compose, status: () => ({ phase: 'Running', fase: 'Running' }) }));
  });

  it('is a text as a version and admission write it', () => {
    const mode = s.enum(['fast', 'safe']);
    const group = { group: 'a.io', version: 'v1', kind: 'Mover' };
    const spec = s.object({ mode, parts: s.array(s.object({ mode })) });
    const v1beta1 = { spec: s.object({ isFast: s.boolean(), level: s.enum(['low', 'high'], { default: 'low' }) }) };
    const Mover = customResource({
      ...group,
      spec,
      versions: {
        v1beta1: {
          ...v1beta1,
          upgrade: ({ isFast }) => ({ mode: isFast ? 'fast' : 'safe', parts: [{ mode: 'safe' }] }),
          downgrade: (stored) => ({ isFast: stored.mode === 'fast', level: stored.parts.length > 1 ? 'high' : 'low' }),
        },
      },
      admission: { mutate: (now) => ({ ...now.spec, mode: now.metadata.name === 'a' ? 'fast' : 'safe' }) },
    });
    const old = { apiVersion: 'a.io/v1beta1', kind: 'Mover', metadata: { name: 'a' }, spec: { isFast: true } };
    const converted = Mover.convert(old, Mover.apiVersion);
    expect(converted).toMatchObject({ spec: { mode: 'fast', parts: [{ mode: 'safe' }] } });
    const upgrade = () => ({ mode: 'fast', parts: [] }) as const;
    const downgrade = () => ({ isFast: true, level: 'lw' }) as const;
    // @ts-expect-error no such level
    never(() => customResource({ ...group, spec, versions: { v1beta1: { ...v1beta1, upgrade, downgrade } } }));
    // @ts-expect-error no such mode
    never(() => customResource({ ...group, spec, admission: { mutate: () => ({ mode: 'fats', parts: [] }) } }));
  });
});
