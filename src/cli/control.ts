import type { Command } from 'commander';
import { type ApiError, ForbiddenError, InvalidError, NotFoundError } from '../client/api-error.js';
import { groupOf } from '../kube/api-resource.js';
import { isBuiltIn } from '../kube/built-in-groups.js';
import { systemClock } from '../kube/clock.js';
import { OperatorError } from '../kube/errors.js';
import { show } from '../kube/object-ref.js';
import { type ConnectionOptions, withCluster, withConnectionOptions } from './connection.js';
import { kindAndName } from './kind-and-name.js';
import { notThere } from './not-there.js';
import { resourceNamed } from './resource-named.js';
import type { Terminal } from './terminal.js';

interface Options extends ConnectionOptions {
  readonly namespace?: string;
}

interface Verb {
  readonly name: string;
  readonly description: string;
  readonly done: string;
  /** The annotation under the group of the custom resource, and its value; null takes it away. */
  annotation(): readonly [name: string, value: string | null];
}

const verbs: readonly Verb[] = [
  {
    name: 'suspend',
    description: 'leave a custom resource and its children alone until it is resumed',
    done: 'suspended',
    annotation: () => ['reconcile', 'suspended'],
  },
  {
    name: 'resume',
    description: 'go on with a custom resource that was suspended',
    done: 'resumed',
    annotation: () => ['reconcile', null],
  },
  {
    name: 'reconcile',
    description: 'reconcile a custom resource now; status.lastHandledReconcileAt tells when that is done',
    done: 'asked to reconcile',
    annotation: () => ['requested-at', new Date(systemClock.now()).toISOString()],
  },
];

/** True where the server, or whom it asks, has something against the object, and not against who wants to change it. */
function isJudged(error: unknown): error is ApiError {
  return (
    error instanceof InvalidError || (error instanceof ForbiddenError && /denied (the )?request/.test(error.message))
  );
}

/** An object that a newer webhook, policy or schema does not take is judged as a whole, whatever of it is changed. */
function refusedAsItIs(cause: ApiError, annotation: string, value: string | null): OperatorError {
  const also = value === null ? `take ${annotation} away` : `set ${annotation}: ${value}`;
  return new OperatorError(cause.message, {
    cause,
    hint: `the object is refused as it is, whatever is changed of it: put that right, and ${also} in the same edit`,
  });
}

/** `kilter suspend`, `kilter resume` and `kilter reconcile`: each sets an annotation, which a person can do by hand as well. */
export function addControl(program: Command, terminal: Terminal): void {
  for (const { name, description, done, annotation: asked } of verbs) {
    const command = program
      .command(name)
      .description(description)
      .argument('<kind/name>', 'as kubectl has it: memcached/cache')
      .option('-n, --namespace <name>', 'default: that of the context');
    withConnectionOptions(command).action(async (said: string, { namespace, ...connection }: Options) => {
      const [kind, object] = kindAndName(said);
      const ref = await withCluster(connection, async (cluster) => {
        const resource = await resourceNamed(cluster, kind);
        if (isBuiltIn(resource.apiVersion)) {
          const hint = 'name the one that it belongs to: memcached/cache';
          throw new OperatorError(`${resource.kind} is no custom resource`, { hint });
        }
        const target = resource.namespaced
          ? { namespace: namespace ?? cluster.namespace, name: object }
          : { name: object };
        const [key, value] = asked();
        const annotation = `${groupOf(resource.apiVersion)}/${key}`;
        const patch = { type: 'merge', body: { metadata: { annotations: { [annotation]: value } } } } as const;
        await cluster.patch(resource, target, patch, { fieldManager: 'kilter-cli' }).catch((cause: unknown) => {
          if (cause instanceof NotFoundError) throw notThere({ kind: resource.kind, ...target }, cause);
          throw isJudged(cause) ? refusedAsItIs(cause, annotation, value) : cause;
        });
        return show({ kind: resource.kind, ...target });
      });
      terminal.write(`${ref} ${done}\n`);
    });
  }
}
