import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { builtInKinds } from '../../../src/embedded/built-in/built-in-kinds.js';
import type { ServedKind } from '../../../src/embedded/kinds/served-kind.js';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { type Answer, AskServer } from '../ask-server.js';
import { accepted, type Case, refused } from './bodies.js';

const kinds = builtInKinds();

onRealCluster('a body of a built-in kind', {}, (plane) => {
  let server: AskServer;
  beforeAll(() => {
    server = new AskServer(plane());
  });
  afterAll(() => server.close());

  const post = (kind: ServedKind, body: object, query: string): Promise<Answer> => {
    const { group, version, plural, namespaced } = kind;
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const path = `${root}${namespaced ? '/namespaces/default' : ''}/${plural}`;
    return server.ask('POST', `${path}?fieldValidation=Strict${query}`, { body });
  };

  it.each(refused)('is refused in the words of the server: $title', async (each) => {
    const { kind, body } = asked(each);
    const answer = await post(kind, body, '&dryRun=All');
    expect({ code: answer.code, message: answer.body['message'] }).toEqual({
      code: 400,
      message: refusal(kind, body),
    });
  });

  it.each(accepted.map((each, index) => ({ ...each, name: `a-${index}` })))(
    'becomes what the server makes of it: $title',
    async ({ name, ...each }) => {
      const { kind, body } = asked(each);
      const named = { ...body, metadata: { ...(body['metadata'] as object), name } };
      const answer = await post(kind, named, '');
      expect(answer).toMatchObject({ code: 201 });
      const { object, strict } = kind.shape.decode(named);
      expect(strict).toEqual([]);
      kind.shape.settle?.(object);
      expect(authored(object)).toEqual(authored(answer.body));
    },
  );
});

/** Without what the server alone writes. */
function authored({ metadata, ...rest }: { readonly metadata?: unknown }): object {
  const { name, labels, annotations, finalizers, ownerReferences } = metadata as Record<string, unknown>;
  return { ...rest, metadata: { name, labels, annotations, finalizers, ownerReferences } };
}

function asked({ apiVersion, kind: name, body }: Case): { kind: ServedKind; body: { readonly [field: string]: Json } } {
  const kind = kinds.find(
    (each) => [each.group, each.version].filter(Boolean).join('/') === apiVersion && each.kind === name,
  );
  if (!kind) throw new Error(`${apiVersion} ${name} is not served`);
  return {
    kind,
    body: { apiVersion, kind: name, metadata: { name: 'a' }, ...body } as { readonly [field: string]: Json },
  };
}

/** What the verbs make of what the shape says. */
function refusal({ kind, version, shape }: ServedKind, body: { readonly [field: string]: Json }): string {
  try {
    const { strict } = shape.decode(body);
    if (strict.length === 0) return 'not refused';
    return `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${strict.join(', ')}`;
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
}
