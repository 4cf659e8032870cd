import { describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { InvalidError } from '../../src/client/api-error.js';
import { DeadlineError } from '../../src/client/deadline-error.js';
import { object, scriptedCluster } from './scripted-cluster.js';
import { status } from './scripted-server.js';

const write = { fieldManager: 'test' };

const scripted = scriptedCluster();

describe('a write', () => {
  const create = () => scripted.cluster.create(ConfigMap, object('a'), write);

  it('of which a proxy makes a page keeps the page out of the error', async () => {
    scripted.server.answers((response) => response.writeHead(502).end('<html>secret</html>'));
    await expect(create()).rejects.toThrow('ConfigMap/default/a create failed: the server answered 502');
  });

  it('that is forbidden says what to allow, of a subresource as well', async () => {
    const message =
      'caches.example.com "a" is forbidden: User "u" cannot patch resource "caches/status" in API group "example.com"';
    scripted.server.answers(status(403, { message }));
    await expect(scripted.cluster.update(ConfigMap, object('a'), write)).rejects.toMatchObject({
      hint: 'allow "patch" on caches.example.com/status in the Role or ClusterRole of this account',
    });
  });

  it('that would grant what this account has not says who may', async () => {
    const message =
      'roles.rbac.authorization.k8s.io "a" is forbidden: user "u" (groups=["g"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}';
    scripted.server.answers(status(403, { message }));
    await expect(create()).rejects.toMatchObject({
      hint: expect.stringMatching(/"bind" on the role .* "escalate" on a role/) as unknown,
    });
  });

  it.each([
    ['too large', 413],
    ['of no type that the server speaks', 415],
    ['to be answered in no way that the server knows', 406],
  ])('that is %s can never succeed, and has the account of the server', async (_, code) => {
    scripted.server.answers(status(code, { message: 'limit is 3145728' }));
    const refused = create();
    await expect(refused).rejects.toThrow(InvalidError);
    await expect(refused).rejects.toMatchObject({ status: { code, message: 'limit is 3145728' }, hint: undefined });
    expect(scripted.server.requests).toHaveLength(1);
  });

  it('that conflicts with other managers names them, and no other conflict is one with managers', async () => {
    const others = [
      { reason: 'FieldManagerConflict', message: 'conflict with "a \\"b\\"" using v1', field: '.data.a' },
      { reason: 'FieldValueInvalid', message: 'a', field: '.data.b' },
    ];
    scripted.server.answers(
      status(409, { details: { causes: others } }),
      status(409, { details: { causes: [others[1]] } }),
    );
    await expect(create()).rejects.toMatchObject({
      name: 'FieldConflict',
      conflicts: [{ field: '.data.a', manager: 'a \\"b\\"' }],
    });
    await expect(create()).rejects.toMatchObject({ name: 'ConflictError' });
  });

  it('that the server had no time for is told as one that had no answer in time, and no other is', async () => {
    scripted.server.answers(status(504, { reason: 'Timeout' }), status(500));
    await expect(create()).rejects.toThrow(DeadlineError);
    await expect(create()).rejects.not.toBeInstanceOf(DeadlineError);
  });

  it.each([302, 400, 401, 403, 404, 405, 409, 410, 422, 500, 503, 504])(
    'that is refused with %d has the account of the server',
    async (code) => {
      const account = { reason: 'Reason', message: 'why it is so' };
      scripted.server.answers(status(code, account), status(code, account));
      await expect(create()).rejects.toMatchObject({ status: { code, ...account } });
    },
  );

  it.each([
    ['an unknown field', '.spec.replicaz: field not declared in schema'],
    ['a duplicate key', 'failed to create typed patch object (default/a; v1): duplicate entries for key [name="a"]'],
    ['too large an object', 'etcdserver: request is too large'],
    [
      'what is no base64',
      'failed to convert new object (/a; /v1, Kind=Secret) to proper version: unable to convert unstructured object to /v1, Kind=Secret: error decoding from json: illegal base64 data at input byte 7',
    ],
  ])('that can never succeed is known by its words, though they come as 500: %s', async (_, message) => {
    scripted.server.answers(status(500, { message }));
    await expect(create()).rejects.toThrow(InvalidError);
  });

  describe.each([
    ['apply', 500, 'failed to create typed patch object (default/a; v1): .spec.sise: field not declared in schema'],
    ['create', 400, 'X in version "v1" cannot be handled as a X: strict decoding error: unknown field "spec.sise"'],
  ] as const)('that has a field which the server does not know, by %s,', (verb, code, message) => {
    const Crate = { apiVersion: 'example.com/v1', kind: 'Crate', plural: 'crates', namespaced: true };

    it.each([
      ['of a custom resource, says which definition to install', Crate, 'apply the CustomResourceDefinition that goes'],
      [
        'of Kubernetes itself, tells of its version, for there is nothing to install',
        ConfigMap,
        'leave it out, or upgrade',
      ],
    ])('%s', async (_, { apiVersion, kind, plural, namespaced }, words) => {
      scripted.server.answers(status(code, { message }));
      const manifest = { ...object('a'), apiVersion, kind };
      await expect(
        scripted.cluster[verb]({ apiVersion, kind, plural, namespaced }, manifest, { ...write, force: true }),
      ).rejects.toMatchObject({
        hint: expect.stringMatching(new RegExp(`^the field is misspelt, or .*${words}`)) as unknown,
      });
    });
  });

  it('that has a text where base64 is wanted says where texts belong', async () => {
    const message = 'Secret in version "v1" cannot be handled as a Secret: illegal base64 data at input byte 7';
    scripted.server.answers(status(400, { message }));
    await expect(create()).rejects.toMatchObject({ hint: expect.stringContaining('into stringData') as unknown });
  });
});
