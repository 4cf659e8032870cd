import type { Cluster, WatchEvent } from '../../src/client/cluster.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';
import type { Call } from '../../src/testing/call.js';

/** One life of a replica. A process that was started anew is another writer. */
export interface Writer {
  readonly replica: string;
  readonly life: number;
}

/** Hears of each write when it reaches the server. */
export type Witness = (
  writer: Writer,
  call: Call,
) => {
  /** The server has done it, or refused. */
  returned(): void;
  /** Undefined when it succeeded. */
  ended(error: unknown): void;
};

/** `cluster` as `writer` reaches it, with a witness of what it writes. While it watches Leases it is one of `followers`. */
export function witnessed(cluster: Cluster, writer: Writer, witness: Witness, followers: Set<Writer>): Cluster {
  const write = async <T>(call: Call, send: () => Promise<T>): Promise<T> => {
    const { returned, ended } = witness(writer, call);
    // The embedded server has done it all by the time it returns its promise.
    const answer = send();
    returned();
    try {
      const object = await answer;
      return object;
    } finally {
      answer.then(
        () => ended(undefined),
        (error: unknown) => ended(error),
      );
    }
  };
  const following = async function* (events: AsyncIterable<WatchEvent>) {
    followers.add(writer);
    try {
      yield* events;
    } finally {
      followers.delete(writer);
    }
  };
  const about = (
    verb: Call['verb'],
    { kind }: ApiResource,
    { metadata }: Manifest | KubeObject,
    subresource?: string,
  ) => ({
    verb,
    kind,
    name: metadata.name,
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
    ...(subresource === undefined ? {} : { subresource }),
  });
  return {
    get: (...call) => cluster.get(...call),
    list: (...call) => cluster.list(...call),
    watch: (kind, options) =>
      kind.kind === 'Lease' ? following(cluster.watch(kind, options)) : cluster.watch(kind, options),
    // A dry run changes nothing, whatever it asks for.
    create: (kind, manifest, options) => {
      const send = () => cluster.create(kind, manifest, options);
      return options.dryRun ? send() : write(about('create', kind, manifest, options.subresource), send);
    },
    update: (kind, object, options) =>
      write(about('update', kind, object, options.subresource), () => cluster.update(kind, object, options)),
    apply: (kind, manifest, options) => {
      const send = () => cluster.apply(kind, manifest, options);
      return options.dryRun ? send() : write(about('apply', kind, manifest, options.subresource), send);
    },
    patch: (kind, target, patch, options) =>
      write(
        {
          verb: 'patch',
          kind: kind.kind,
          ...target,
          ...(options.subresource ? { subresource: options.subresource } : {}),
        },
        () => cluster.patch(kind, target, patch, options),
      ),
    delete: (kind, target, options) =>
      write({ verb: 'delete', kind: kind.kind, ...target }, () => cluster.delete(kind, target, options)),
  };
}
