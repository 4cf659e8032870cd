import type { Json } from '../../../src/kube/manifest.js';
import { at, edited, isMap, places } from './json-edit.js';
import type { Operation } from './operation.js';

/**
 * The shortest story that still shows the difference: first whole operations are left out, in halves, quarters and so on,
 * then fields of bodies and parameters, parents before children. What an operation waits for afterwards goes with it, for
 * without that the two may differ in how soon they are ready.
 */
export async function shrink(
  operations: readonly Operation[],
  shows: (operations: readonly Operation[]) => Promise<boolean>,
  tries = 150,
): Promise<readonly Operation[]> {
  let best = operations;
  let left = tries;
  const attempt = async (candidate: readonly Operation[]): Promise<boolean> => {
    if (left-- <= 0 || !(await shows(candidate))) return false;
    best = candidate;
    return true;
  };
  let steps = withWaits(best);
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < steps.length && steps.length > 1; ) {
      const rest = [...steps.slice(0, start), ...steps.slice(start + size)];
      if (await attempt(rest.flat())) steps = rest;
      else start += size;
    }
  }
  for (let index = 0; index < best.length; index++) {
    for (let place = 0; left > 0; ) {
      const simpler = simplified(best[index] as Operation)[place];
      if (!simpler) break;
      if (!(await attempt(best.map((operation, each) => (each === index ? simpler : operation))))) place++;
    }
  }
  return best;
}

/** The operations, each with the waits that follow it. */
function withWaits(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const steps: Operation[][] = [];
  for (const operation of operations) {
    const last = steps.at(-1);
    if (operation.verb === 'settle' && last) last.push(operation);
    else steps.push([operation]);
  }
  return steps;
}

/** The operation with one thing less, for each thing that it could do without. */
function simplified(operation: Operation): Operation[] {
  const { query = {}, body } = operation;
  const { query: _, ...without } = operation;
  const queries = Object.keys(query)
    .filter((key) => key !== 'fieldManager')
    .map((key): Operation => {
      const rest = Object.fromEntries(Object.entries(query).filter(([name]) => name !== key));
      return Object.keys(rest).length > 0 ? { ...operation, query: rest } : without;
    });
  if (body === undefined || typeof body !== 'object' || body === null) return queries;
  const bodies = places(body)
    .filter(
      (path) => path.length > 0 && !(path.length === 1 && ['apiVersion', 'kind', '$from'].includes(String(path[0]))),
    )
    .filter((path) => !(path.length === 2 && path[0] === 'metadata' && path[1] === 'name'))
    // A value of an edit is part of it.
    .filter((path) => path[0] !== '$edits' || path.length !== 3)
    .map((path): Operation => ({ ...operation, body: edited(body as Json, { path }) }))
    .filter(
      (each) =>
        !isMap(each.body) ||
        at(each.body, ['metadata']) !== undefined ||
        !isMap(body) ||
        body['metadata'] === undefined,
    );
  return [...queries, ...bodies];
}
