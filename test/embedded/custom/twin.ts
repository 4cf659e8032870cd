import { Agent, request } from 'undici';
import type { Status } from '../../../src/client/api-error.js';
import type { PatchRequest, WriteRequest, Written } from '../../../src/embedded/api-server.js';
import type { CustomDefinition } from '../../../src/embedded/custom/custom-definition.js';
import { admin, EmbeddedServer } from '../../../src/embedded/embedded-server.js';
import type { ServedKind } from '../../../src/embedded/kinds/served-kind.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import type { ControlPlane } from '../../cluster/control-plane.js';
import { untilSeen } from '../until-seen.js';

/** One write of an object in the namespace `default`. */
export interface Write {
  readonly verb: 'create' | 'update' | PatchRequest['type'];
  /** Of the address, where the verb has one. */
  readonly name?: string;
  readonly body: Json;
  readonly version?: string;
  readonly subresource?: 'status';
  readonly validation?: WriteRequest['fieldValidation'];
  readonly manager?: string;
}

/** What a server answered, less what no two servers have in common. */
export interface Answer {
  readonly code: number;
  readonly reason?: string | undefined;
  /** Of a refusal with several causes only what stands before them, for the server's order is of no account. */
  readonly message?: string | undefined;
  readonly causes?: readonly string[] | undefined;
  readonly object?: unknown;
}

/** A CustomResourceDefinition as somebody writes it. */
export interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: CustomDefinition['spec'];
}

/** The real API server and the embedded one, side by side: whatever one is told, so is the other. */
export class Twin {
  private readonly agent: Agent;
  private readonly embedded = new EmbeddedServer({ controllers: false });

  constructor(private readonly plane: ControlPlane) {
    this.agent = new Agent({ connect: { ca: plane.ca } });
  }

  close(): Promise<void> {
    this.embedded.stop();
    return this.agent.close();
  }

  /** Defines a kind on both sides. `served` waits for the real one. */
  async define(definition: Definition): Promise<void> {
    const sent = definition as unknown as Json;
    const { code, body } = await this.send('POST', definitionsPath, sent);
    if (code !== 201) throw new Error(`${definition.metadata.name} was refused: ${body['message']}`);
    this.embedded.verbs.create(this.#definitions, undefined, sent, this.#request({ verb: 'create', body: sent }));
    await Promise.resolve();
  }

  /** Replaces the spec of a definition on both sides. */
  async redefine(definition: Definition): Promise<void> {
    const { name } = definition.metadata;
    const patch = { spec: definition.spec } as unknown as Json;
    const { code, body } = await this.send('PATCH', `${definitionsPath}/${name}`, patch, types.merge);
    if (code !== 200) throw new Error(`${name} was refused: ${body['message']}`);
    const request = this.#request({ verb: 'merge', body: patch });
    this.embedded.verbs.patch(this.#definitions, { name }, { type: 'merge', body: patch }, request);
    await Promise.resolve();
  }

  get #definitions(): ServedKind {
    return this.embedded.kinds.resource('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')!;
  }

  async served(definition: Definition): Promise<void> {
    const { group, names, versions } = definition.spec;
    const paths = versions.filter(({ served }) => served).map(({ name }) => `/apis/${group}/${name}/${names.plural}`);
    for (const path of paths) await untilSeen(async () => (await this.send('GET', path)).code === 200);
  }

  kind({ spec }: Definition, version = spec.versions[0]!.name): ServedKind {
    return this.embedded.kinds.resource(spec.group, version, spec.names.plural)!;
  }

  /** An object of the namespace `default`, as we have it. */
  live(definition: Definition, name: string): KubeObject | undefined {
    return this.embedded.store.get(this.kind(definition).storage, 'default', name);
  }

  /** A definition as we have it. */
  definition({ metadata }: Definition): KubeObject | undefined {
    return this.embedded.store.get(this.#definitions.storage, undefined, metadata.name);
  }

  /** Writes on both sides. `{{version}}` in a body is the resourceVersion of the object as each side has it. */
  async write(definition: Definition, write: Write): Promise<{ readonly server: Answer; readonly ours: Answer }> {
    const kind = this.kind(definition, write.version);
    const base = `/apis/${kind.group}/${kind.version}${kind.namespaced ? '/namespaces/default' : ''}/${kind.plural}`;
    const named = write.name === undefined ? '' : `/${write.name}`;
    const query = new URLSearchParams({
      fieldManager: write.manager ?? 'tester',
      fieldValidation: write.validation ?? 'Strict',
    });
    const path = `${base}${named}${write.subresource ? `/${write.subresource}` : ''}?${query}`;
    const live = write.name === undefined ? undefined : await this.send('GET', `${base}${named}`);
    const server = await this.send(methods[write.verb], path, filled(write.body, live?.body), types[write.verb]);
    return { server: answerOf(server.code, server.body), ours: this.#ours(kind, write) };
  }

  #ours(kind: ServedKind, write: Write): Answer {
    const { verb, name = '', body } = write;
    const request = this.#request(write);
    const { verbs } = this.embedded;
    const namespace = kind.namespaced ? 'default' : undefined;
    const address = namespace === undefined ? { name } : { namespace, name };
    const sent = filled(body, this.embedded.store.get(kind.storage, namespace, name));
    return this.#answer(() =>
      verb === 'create'
        ? verbs.create(kind, namespace, sent, request)
        : verb === 'update'
          ? verbs.update(kind, address, sent, request)
          : verbs.patch(kind, address, patchOf(verb, sent), request),
    );
  }

  #request({ subresource, validation = 'Strict', manager = 'tester' }: Write): WriteRequest {
    return {
      caller: admin,
      fieldManager: manager,
      fieldValidation: validation,
      ...(subresource ? { subresource } : {}),
    };
  }

  #answer(write: () => Written): Answer {
    try {
      const { created, object } = write();
      return answerOf(created ? 201 : 200, object as unknown as Body);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return answerOf(error.status.code, error.status as unknown as Body);
    }
  }

  /** What both say about a definition, without keeping it. */
  async judgeDefinition(definition: Json): Promise<{ readonly server: Answer; readonly ours: Answer }> {
    const path = `${definitionsPath}?dryRun=All&fieldManager=tester&fieldValidation=Strict`;
    const { code, body } = await this.send('POST', path, definition);
    const request = { ...this.#request({ verb: 'create', body: definition }), dryRun: true };
    const ours = this.#answer(() => this.embedded.verbs.create(this.#definitions, undefined, definition, request));
    return { server: withoutOwners(answerOf(code, body)), ours: withoutOwners(ours) };
  }

  async send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: Json,
    type = 'application/json',
    accept = 'application/json',
  ): Promise<{ readonly code: number; readonly body: Body }> {
    const response = await request(`${this.plane.url}${path}`, {
      method,
      dispatcher: this.agent,
      headers: { authorization: `Bearer ${this.plane.adminToken}`, 'content-type': type, accept },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.body.text();
    return { code: response.statusCode, body: answer.startsWith('{') ? (JSON.parse(answer) as Body) : {} };
  }
}

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

function patchOf(type: PatchRequest['type'], body: Json): PatchRequest {
  return (type === 'json' ? { type, operations: body } : { type, body }) as PatchRequest;
}

type Body = Readonly<Record<string, unknown>>;

const methods = {
  create: 'POST',
  update: 'PUT',
  merge: 'PATCH',
  json: 'PATCH',
  strategic: 'PATCH',
  apply: 'PATCH',
} as const;

const types = {
  create: 'application/json',
  update: 'application/json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

function filled(body: Json, live: unknown): Json {
  const { metadata } = (live ?? {}) as { readonly metadata?: { readonly resourceVersion?: string } };
  return JSON.parse(JSON.stringify(body).replaceAll('{{version}}', metadata?.resourceVersion ?? '')) as Json;
}

export function answerOf(code: number, body: Body): Answer {
  if (code < 300) return { code, object: comparable(body) };
  const { reason, message = '', details } = body as unknown as Status;
  const causes = (details?.causes ?? []).map((cause) => anonymous(`${cause.reason} ${cause.field}: ${cause.message}`));
  const unknown = anonymous(message).split(/, (?=unknown field )/);
  return {
    code,
    reason,
    message:
      causes.length > 1 ? anonymous(message).slice(0, anonymous(message).indexOf('[')) : unknown.sort().join(', '),
    causes: causes.sort(),
  };
}

/** Words without what differs from server to server: some show an object whole. */
function anonymous(text: string): string {
  return text
    .replace(/(uid|resourceVersion|creationTimestamp|time)(\\*"):(\\*")[^"\\]*/g, '$1$2:$3')
    .replace(/"things-[a-z0-9]{5}/g, '"things-');
}

/** Who owns what of a built-in kind is held to the server elsewhere. */
export function withoutOwners({ object, ...answer }: Answer): Answer {
  if (object === undefined) return answer;
  const { metadata, ...rest } = object as Body & { readonly metadata: Body };
  const { managedFields: _, ...kept } = metadata;
  return { ...answer, object: { ...rest, metadata: kept } };
}

/** An object without times, versions and identities; its managers by name, for their order depends on the second. */
export function comparable(body: Body): unknown {
  const { metadata } = body as { readonly metadata?: Body };
  if (metadata === undefined) return body;
  const { uid: _u, resourceVersion: _r, creationTimestamp: _c, managedFields, ...rest } = metadata;
  const who = ({ manager, operation, subresource }: Body) => JSON.stringify([manager, operation, subresource]);
  const managers = (managedFields as readonly Body[] | undefined)
    ?.map(({ time: _t, ...entry }) => entry)
    .toSorted((a, b) => (who(a) < who(b) ? -1 : 1));
  return { ...body, metadata: { ...rest, ...(managers ? { managedFields: managers } : {}) } };
}
