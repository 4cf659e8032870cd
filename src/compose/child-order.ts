import { ApiObject } from 'cdk8s';
import type { IConstruct } from 'constructs';
import { TerminalError } from '../kube/errors.js';

/**
 * The objects below `scope` in the order in which they were constructed, except that what another depends on
 * (`node.addDependency`) comes before it.
 *
 * Throws `TerminalError` where constructs depend on each other in a circle, or on one that is not below `scope`.
 */
export function inOrder(scope: IConstruct): readonly ApiObject[] {
  const constructed = objectsIn(scope);
  const ordered = new Set<ApiObject>();
  const waiting: ApiObject[] = [];

  const visit = (object: ApiObject): void => {
    if (ordered.has(object)) return;
    if (waiting.includes(object)) refuseCircle([...waiting.slice(waiting.indexOf(object)), object]);
    waiting.push(object);
    for (const needed of neededBy(object)) {
      if (!needed.node.scopes.includes(scope)) refuseStranger(object, needed);
      if (needed !== object) visit(needed);
    }
    waiting.pop();
    ordered.add(object);
  };
  for (const object of constructed) visit(object);
  return [...ordered];
}

function objectsIn(scope: IConstruct): ApiObject[] {
  return scope.node.findAll().filter((construct): construct is ApiObject => ApiObject.isApiObject(construct));
}

/** What a construct depends on, everything in it depends on: objects of theirs, but not of the same one. */
export function neededBy(object: ApiObject): ApiObject[] {
  const needed: ApiObject[] = [];
  for (const scope of object.node.scopes) {
    for (const dependency of scope.node.dependencies) {
      if (!object.node.scopes.includes(dependency)) needed.push(...objectsIn(dependency));
    }
  }
  return needed;
}

function refuseStranger({ kind, name }: ApiObject, { node }: ApiObject): never {
  throw new TerminalError(`${kind}/${name} depends on ${node.path}, which is composed elsewhere`, {
    hint: 'depend on what is made in the scope that compose is handed, each time anew',
  });
}

function refuseCircle(circle: readonly ApiObject[]): never {
  const names = circle.map(({ kind, name }) => `${kind}/${name}`);
  throw new TerminalError(`children cannot be put in order: ${names.join(' depends on ')}`, {
    hint: 'remove one of the calls of addDependency',
  });
}
