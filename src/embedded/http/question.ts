import type { Json } from '../../kube/manifest.js';
import { methodNotAllowed, noSuchPath } from '../status-error.js';
import { formOf } from './accept.js';
import type { Answer } from './answer.js';
import type { Asked, Door, Question } from './door.js';
import { notAcceptable } from './http-status.js';
import { given } from './query.js';
import { readObject } from './request-body.js';
import type { ResourceRoute } from './route.js';
import { writeOptionsOf } from './write-options.js';

/** The question that a path is about, when it is about one. */
export function questionAt({ questions = [] }: Door, route: ResourceRoute): Question | undefined {
  return questions.find(({ group, version, plural, subresource }) =>
    subresource === undefined
      ? route.group === group && route.version === version && route.plural === plural && route.subresource === undefined
      : route.group === subresource.of.group &&
        route.version === subresource.of.version &&
        route.plural === plural &&
        route.subresource === subresource.name,
  );
}

export async function askQuestion(question: Question, route: ResourceRoute, asked: Asked): Promise<Answer> {
  const { namespace, name } = route;
  if (question.namespaced !== (namespace !== undefined)) throw noSuchPath();
  if ((name !== undefined) !== (question.subresource !== undefined)) throw noSuchPath();
  if (asked.method !== 'POST') throw methodNotAllowed();
  const form = formOf(asked.accept);
  if (!form || form.as) throw notAcceptable();
  writeOptionsOf(asked.query, 'CreateOptions', asked.userAgent);
  const { value } = readObject(await asked.body(), asked.contentType, { kind: question.kind, isTyped: true });
  const about = { caller: asked.caller, ...given('namespace', namespace), ...given('name', name) };
  const body = question.ask(value as { readonly [field: string]: Json }, about);
  return { code: 201, body, format: form.format };
}
