import { expect, it } from '@jest/globals';
import type { Operator } from '../../../src/compose/operator.js';
import { othersTurn, systemClock } from '../../../src/kube/clock.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { refOf } from '../../../src/kube/object-ref.js';
import { AuthorCode } from '../../../src/runtime/author/author-code.js';
import { AuthorTurn } from '../../../src/runtime/author/author-turn.js';
import type { Occasion } from '../../../src/runtime/author/occasions.js';
import type { TimeLimit } from '../../../src/runtime/author/time-limit.js';
import { UnsteadyCode } from '../../../src/runtime/author/unsteady-code.js';
import { Planner, type PlannerOptions } from '../../../src/runtime/planner.js';
import { Breather } from '../../../src/runtime/process/breather.js';
import { silentLog } from '../../../src/runtime/telemetry/log.js';

const key = 'default/home';
const cr = object('Page', 'home');
const text = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'text', namespace: 'default' } };

/** An author's status that looks at its child only where its input says so, and tells under what it ran. */
function stage() {
  const ran: string[] = [];
  let isLimited = false;
  const limit: TimeLimit = (_, body) => {
    isLimited = true;
    try {
      return body();
    } finally {
      isLimited = false;
    }
  };
  const operator = {
    name: 'pages',
    adopt: 'never',
    reads: { theme: {} },
    composition: () => ({ children: [text], returned: { text: refOf(text) } }),
    status({ text }: Readonly<Record<string, KubeObject>>, { theme }: { readonly theme: KubeObject }) {
      if (theme.metadata.name === 'plain') return {};
      const first = text!.metadata.uid.charAt(0);
      ran.push(`${isLimited ? 'within' : 'without'} a limit`);
      return { first };
    },
  } as unknown as Operator;
  const given = (theme: string): Occasion => ({ key, cr, inputs: { theme: object('ConfigMap', theme) } });
  const turn = new AuthorTurn({
    breather: new Breather({ clock: systemClock, othersTurn }),
    clock: systemClock,
    log: silentLog,
  });
  const authorCode = new AuthorCode({
    operator,
    limit,
    turn,
    clock: systemClock,
    again: () => {},
    occasions: { of: () => given('rich'), *waiting() {} },
    stored: () => undefined,
  });
  const planner = new Planner({
    operator,
    clock: systemClock,
    authorCode,
    unsteady: new UnsteadyCode(operator.name),
    optional: { without: (composed: unknown) => composed },
    occasions: { mark: () => '', asked: () => '', whenReselected() {}, live: async () => given('plain') },
  } as unknown as PlannerOptions);
  return { ran, planner, authorCode, given };
}

function object(kind: string, name: string): KubeObject {
  return { apiVersion: 'v1', kind, metadata: { name, namespace: 'default', uid: name, resourceVersion: '1' } };
}

it('a status is limited in time for the inputs of its round, though with those of the API server it was seen to end', async () => {
  const { ran, planner, authorCode, given } = stage();
  authorCode.compose(given('rich'));
  const discretion = { saw: () => {} } as never;
  await planner.inputsNow(given('rich'), discretion, []).desired(new AbortController().signal);
  const written = {
    ...text,
    metadata: { ...text.metadata, uid: 'a', resourceVersion: '2', managedFields: [{ manager: 'pages' }] },
  };
  authorCode.status(given('rich'), { text: written as unknown as KubeObject }, {});
  expect(ran).toEqual(['within a limit']);
});
