/** Longer than most files: all that may be learnt of an author's code, and what is then left out. */
import { describe, expect, it } from '@jest/globals';
import type { Operator } from '../../../src/compose/operator.js';
import { othersTurn, systemClock } from '../../../src/kube/clock.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { refOf } from '../../../src/kube/object-ref.js';
import { AuthorCode } from '../../../src/runtime/author/author-code.js';
import { AuthorTurn } from '../../../src/runtime/author/author-turn.js';
import type { Occasion, Occasions } from '../../../src/runtime/author/occasions.js';
import type { AuthorsFunction, Rejected } from '../../../src/runtime/author/stray-owners.js';
import { type TimeLimit, timeLimit } from '../../../src/runtime/author/time-limit.js';
import { Breather } from '../../../src/runtime/process/breather.js';
import { silentLog } from '../../../src/runtime/telemetry/log.js';
import { VirtualClock } from '../../../src/testing/virtual-clock.js';

const loop = (): never => {
  for (;;);
};

/** Whose promises are whose, and who has the thread. */
class NotedTurn extends AuthorTurn {
  readonly owners: Rejected[] = [];
  readonly functions: string[] = [];

  override run<T>(what: AuthorsFunction, body: () => T): T {
    this.owners.push(what.rejected);
    this.functions.push(`${what.function} of ${what.name}`);
    return super.run(what, body);
  }
}

const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' } };

/** An author's code that does as the spec says, and is counted. */
function stage(waiting: readonly Occasion[] = [], inCluster?: KubeObject) {
  const counted = { limited: 0, most: [] as (number | undefined)[], composed: [] as string[] };
  const deed = (cr: KubeObject, part: string) => {
    if (cr['spec'] === `loops in ${part}`) loop();
    if (cr['spec'] === `throws in ${part}`) throw new Error(`${part} of ${cr.metadata.name} threw`);
  };
  const operator = {
    name: 'stage',
    composition: (cr: KubeObject) => {
      counted.composed.push(cr.metadata.name);
      deed(cr, 'compose');
      return { children: [child], returned: { child: refOf(child) } };
    },
    status: (children: Readonly<Record<string, KubeObject>>, __: unknown, cr: KubeObject) => {
      if (children['child']?.metadata.resourceVersion === cr['spec']) loop();
      deed(cr, 'status');
      return { name: cr.metadata.name };
    },
  } as unknown as Operator;
  const real = timeLimit(200);
  const limit: TimeLimit = (what, body, most) => {
    counted.limited++;
    counted.most.push(most);
    return real(what, body, Math.min(most ?? 200, 200));
  };
  const occasions: Pick<Occasions, 'of' | 'waiting'> = {
    of(key, cr) {
      deed(cr, 'reads');
      return waiting.find((each) => each.cr === cr) ?? { key, cr, inputs: {} };
    },
    *waiting(most, isWanted) {
      for (const each of waiting.slice(0, most)) if (isWanted(each.key, each.cr)) yield each;
    },
  };
  const breather = new Breather({ clock: systemClock, othersTurn });
  const turn = new NotedTurn({ breather, clock: systemClock, log: silentLog });
  const stored = (): KubeObject | undefined => inCluster;
  // Of its time, what is composed ahead takes none: a busy machine would end it after the first.
  const clock = new VirtualClock();
  const code = new AuthorCode({ operator, limit, turn, clock, again: () => {}, occasions, stored });
  return { code, counted, turn };
}

function occasion(name: string, spec = '', metadata: Partial<KubeObject['metadata']> = {}): Occasion {
  const key = `default/${name}`;
  const cr = {
    apiVersion: 'example.com/v1',
    kind: 'Foo',
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', generation: 1, ...metadata },
    spec,
  };
  return { key, cr, inputs: {} };
}

describe("an author's code", () => {
  it('is limited once for all that wait', () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => occasion(name));
    const { code, counted } = stage(all);
    for (const each of all) {
      code.compose(each);
      expect(code.status(each, {}, {})).toEqual({ name: each.cr.metadata.name });
    }
    expect(counted).toMatchObject({ limited: 1, composed: ['a', 'b', 'c', 'd'] });
  });

  it('is limited once for what it selects and what it makes of that', () => {
    const a = occasion('a');
    const { code, counted } = stage();
    code.compose(code.occasion(a.key, a.cr));
    expect(counted).toMatchObject({ limited: 1, composed: ['a'] });
  });

  it.each([
    ['another object', (each: Occasion) => ({ ...each, cr: { ...each.cr } })],
    ['another input', (each: Occasion) => ({ ...each, inputs: { source: each.cr } })],
    ['one more in a list', (each: Occasion) => ({ ...each, inputs: { sources: [each.cr] } })],
  ])('is run again for %s than was there while it waited', (_, changed) => {
    const [a, b] = [occasion('a'), occasion('b')];
    const { code, counted } = stage([b]);
    code.compose(a);
    code.compose(changed(b));
    expect(counted.composed).toEqual(['a', 'b', 'b']);
  });

  it.each([
    ['reads', 'loops in reads'],
    ['compose', 'loops in compose'],
    ['status', 'loops in status'],
  ])('that does not end in %s costs its own custom resource a round, and time only once', (part, spec) => {
    const [good, bad, next] = [occasion('good'), occasion('bad', spec), occasion('next')];
    const { code, counted } = stage([bad, next]);
    expect(code.compose(good)).toEqual({ children: [child], returned: { child: refOf(child) } });
    const round = (): unknown => {
      code.compose(code.occasion(bad.key, bad.cr));
      return code.status(bad, {}, {});
    };
    const message = `${part} of Foo/default/bad did not end within 0.2 s`;
    expect(round).toThrow(message);
    expect(round).toThrow(message);
    expect(counted.limited).toBe(1);
    expect(code.compose(next)).toEqual({ children: [child], returned: { child: refOf(child) } });
    const mended = occasion('bad', '', { generation: 2 });
    expect(code.compose(mended)).toEqual({ children: [child], returned: { child: refOf(child) } });
  });

  it('that throws does so at the turn of its custom resource', () => {
    const [good, bad] = [occasion('good'), occasion('bad', 'throws in compose')];
    const { code } = stage([bad]);
    expect(code.compose(good)).toEqual({ children: [child], returned: { child: refOf(child) } });
    expect(() => code.compose(bad)).toThrow('compose of bad threw');
  });

  it.each<[string, Partial<KubeObject['metadata']>]>([
    ['a new generation', { generation: 2 }],
    ['a label', { labels: { team: 'blue' } }],
    ['an annotation', { annotations: { owner: 'somebody' } }],
    ['another object of its name', { uid: 'another' }],
  ])('is limited again after %s, for that may be what it loops about', (_, metadata) => {
    const { code, counted } = stage();
    code.compose(occasion('a'));
    code.compose(occasion('a'));
    expect(counted.limited).toBe(1);
    code.compose(occasion('a', '', metadata));
    expect(counted.limited).toBe(2);
  });

  it.each([
    ['the same inputs', () => {}, true],
    ['other inputs', (code: AuthorCode, { key }: Occasion) => code.changed(key), false],
  ])('of which a promise is rejected late fails then, with %s', (_, meanwhile, isFailed) => {
    const a = occasion('a');
    const { code, turn } = stage();
    code.compose(a);
    const [ofTheFirst] = turn.owners;
    meanwhile(code, a);
    code.compose(a);
    ofTheFirst?.(new Error('nobody caught it'), 'was rejected');
    const again = () => code.compose(a);
    if (isFailed) expect(again).toThrow('a promise in compose of Foo/default/a was rejected: nobody caught it');
    else expect(again).not.toThrow();
  });

  it('has the thread by name in whatever it does, also for those that wait', () => {
    const [a, b] = [occasion('a'), occasion('b')];
    const { code, turn } = stage([b]);
    code.compose(code.occasion(a.key, a.cr));
    const all = (name: string) => ['reads', 'compose', 'status'].map((part) => `${part} of ${name}`);
    expect(turn.functions).toEqual([...all('a'), ...all('b')]);
    code.occasion(a.key, a.cr);
    expect(turn.functions.at(-1)).toBe('reads of a');
  });

  it('of which a promise of what selects the inputs is rejected fails before it selects again', () => {
    const a = occasion('a');
    const { code, turn } = stage();
    code.occasion(a.key, a.cr);
    const [ofTheSelection] = turn.owners;
    ofTheSelection?.(new Error('nobody caught it'), 'was rejected');
    const before = turn.functions.length;
    const again = () => code.occasion(a.key, a.cr);
    expect(again).toThrow('a promise in reads of Foo/default/a was rejected: nobody caught it');
    expect(turn.functions).toHaveLength(before);
  });

  it('of which a promise of status is rejected is composed as before, and asked for no other status', () => {
    const a = occasion('a');
    const { code, turn } = stage();
    code.compose(a);
    code.status(a, {}, {});
    turn.owners.at(-1)?.(new Error('nobody caught it'), 'was rejected');
    expect(code.compose(a)).toEqual({ children: [child], returned: { child: refOf(child) } });
    const before = turn.functions.length;
    const again = () => code.status(a, {}, {});
    expect(again).toThrow('a promise in status of Foo/default/a was rejected: nobody caught it');
    expect(turn.functions).toHaveLength(before);
  });

  it('is limited again with inputs that it has not seen', () => {
    const { code, counted } = stage();
    code.compose(occasion('a'));
    code.changed('default/a');
    code.compose(occasion('a'));
    expect(counted.limited).toBe(2);
  });

  const childAt = (resourceVersion: string, manager = 'somebody'): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', namespace: 'default', uid: 'a', resourceVersion, managedFields: [{ manager } as never] },
  });

  it('is limited again for children that it has not seen, as others changed them', () => {
    const { code, counted } = stage();
    const a = occasion('a');
    code.compose(a);
    const limits = (child: KubeObject, states = {}) => {
      const before = counted.limited;
      code.status(a, { child }, states);
      return counted.limited - before;
    };
    expect(limits(childAt('1', 'stage'))).toBe(0);
    expect(limits(childAt('2'))).toBe(1);
    expect(limits(childAt('2'))).toBe(0);
    expect(limits(childAt('3'))).toBe(1);
    expect(limits(childAt('3'), { booking: { id: 1 } })).toBe(1);
    expect(limits(childAt('3'), { booking: { id: 1 } })).toBe(0);
  });

  it('that does not end for a child as others changed it costs time only once', () => {
    const { code, counted } = stage();
    const a = occasion('a', '9');
    code.compose(a);
    for (let round = 0; round < 2; round++) {
      expect(() => code.status(a, { child: childAt('9') }, {})).toThrow('status of Foo/default/a did not end');
    }
    expect(counted.limited).toBe(2);
  });

  it('looks ahead at children as they are in the cluster', () => {
    const { code, counted } = stage([], childAt('7'));
    const a = occasion('a');
    code.compose(a);
    code.status(a, { child: childAt('7') }, {});
    expect(counted.limited).toBe(1);
  });

  it('for which the status says that it did not end has little time, and nobody tries it before its turn', () => {
    const [message, type, status] = ['compose of Foo/default/bad did not end within 5 s; a hint', 'Stalled', 'True'];
    const said = { status: { conditions: [{ type, status, message, observedGeneration: 1 }] } };
    const [good, known] = [occasion('good'), occasion('bad', 'loops in compose')];
    const bad = { ...known, cr: { ...known.cr, ...said } };
    const { code, counted } = stage([bad]);
    code.compose(good);
    expect(counted.composed).toEqual(['good']);
    expect(() => code.compose(bad)).toThrow('did not end');
    expect(counted.most).toEqual([undefined, 1000]);
  });
});
