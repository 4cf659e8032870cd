import type { VirtualKind } from '../auth/virtual-kind.js';
import { ask, virtualKinds } from '../auth/virtual-kinds.js';
import { methodNotAllowed, noSuchPath } from '../status-error.js';
import { formOf } from './accept.js';
import type { Answer } from './answer.js';
import type { Asked, Door } from './door.js';
import { notAcceptable } from './http-status.js';
import { given } from './query.js';
import { readObject } from './request-body.js';
import type { ResourceRoute } from './route.js';
import { writeOptionsOf } from './write-options.js';

/** The kind that only answers questions, when a path is about one. */
export function questionAt({ group, version, plural, subresource }: ResourceRoute): VirtualKind | undefined {
  return virtualKinds.get([group, version, plural, ...(subresource === undefined ? [] : [subresource])].join('/'));
}

export async function askQuestion(
  { desk }: Door,
  kind: VirtualKind,
  route: ResourceRoute,
  asked: Asked,
): Promise<Answer> {
  const { namespace, name, subresource } = route;
  const { caller } = asked;
  if (kind.namespaced !== (namespace !== undefined)) throw noSuchPath();
  if ((name === undefined) !== (subresource === undefined)) throw noSuchPath();
  if (asked.method !== 'POST') throw methodNotAllowed();
  const about = { ...given('namespace', namespace), ...given('name', name) };
  const form = formOf(asked.accept, false);
  if (!form) throw notAcceptable();
  const request = { caller, ...writeOptionsOf(asked.query, 'CreateOptions', asked.userAgent), ...about };
  const { value, strict } = readObject(await asked.body(), asked.contentType, { kind: kind.kind, isTyped: true });
  const { object, warnings } = ask(kind, value, { ...request, strictProblems: strict }, desk);
  return { code: 201, body: object, format: form.format, warnings };
}
