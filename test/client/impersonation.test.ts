import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ConfigMap } from '../../imports/k8s.js';
import { ForbiddenError } from '../../src/client/api-error.js';
import { connect } from '../../src/client/http-cluster.js';
import { impersonationOf } from '../../src/client/impersonation.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { json, ScriptedServer, status } from './scripted-server.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'kilter-as-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The path of a kubeconfig whose user has more to say. */
function write(kubeconfig: { users: { user: object }[] }, more: object): string {
  const path = join(folder, 'kubeconfig');
  const users = kubeconfig.users.map((each) => ({ ...each, user: { ...each.user, ...more } }));
  writeFileSync(path, JSON.stringify({ ...kubeconfig, users }));
  return path;
}

describe('a user who acts as somebody', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['nobody else', {}, {}],
    ['nobody at all', { as: '', 'as-groups': [] }, {}],
    ['a user', { as: 'jane' }, { 'impersonate-user': 'jane' }],
    [
      'all that can be said',
      { as: 'jane', 'as-uid': '7', 'as-groups': ['a', 'b'], 'as-user-extra': { Scopes: ['view', 'edit'] } },
      {
        'impersonate-user': 'jane',
        'impersonate-uid': '7',
        'impersonate-group': ['a', 'b'],
        'impersonate-extra-scopes': ['view', 'edit'],
      },
    ],
    [
      'keys that are no names of headers',
      { as: 'a', 'as-user-extra': { 'acme.com/Project 1%': ['x'], é: ['y'] } },
      {
        'impersonate-user': 'a',
        'impersonate-extra-acme.com%2Fproject%201%25': ['x'],
        'impersonate-extra-%C3%A9': ['y'],
      },
    ],
  ])('says so in headers: %s', (_, user, headers) => {
    expect(impersonationOf(user, 'user "me"')).toEqual(headers);
  });

  it.each<[object, string]>([
    [{ 'as-uid': '7' }, '"as" does not say of whom'],
    [{ as: '', 'as-groups': ['a'] }, '"as" does not say of whom'],
    [{ 'as-user-extra': { a: ['b'] } }, '"as" does not say of whom'],
    [{ as: 7 }, '"as" is no text'],
    [{ as: 'a', 'as-groups': 'b' }, '"as-groups" is no list of texts'],
    [{ as: 'a', 'as-groups': ['b', 7] }, '"as-groups" is no list of texts'],
    [{ as: 'a', 'as-user-extra': ['b'] }, '"as-user-extra" is no map'],
    [{ as: 'a', 'as-user-extra': 'b' }, '"as-user-extra" is no map'],
    [{ as: 'a', 'as-user-extra': { b: 'c' } }, '"as-user-extra.b" is no list of texts'],
  ])('is refused rather than taken for himself: %j', async (user, problem) => {
    const kubeconfig = {
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'me' } }],
      clusters: [{ name: 'a', cluster: { server: 'https://a' } }],
      users: [{ name: 'me', user: { token: 'a' } }],
    };
    await expect(kubeConfig({ path: write(kubeconfig, user) })).rejects.toMatchObject({
      message: expect.stringMatching(`^credentials of user "me" failed: .*${problem}$`),
    });
  });

  it('says so in every request, with the token that is read anew as with the first', async () => {
    const server = await ScriptedServer.start();
    const kubeconfig = {
      'current-context': 'a',
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'me' } }],
      clusters: [{ name: 'a', cluster: { server: server.url } }],
      users: [{ name: 'me', user: { token: 'a' } }],
    };
    const path = write(kubeconfig, { as: 'jané', 'as-groups': ['a', 'b'] });
    const cluster = connect(await kubeConfig({ path }));
    server.answers(status(401), json({ metadata: { name: 'a', namespace: 'default' } }));
    await cluster.get(ConfigMap, { namespace: 'default', name: 'a' });
    const said = server.requests.map(({ headers }) => [
      Buffer.from(headers['impersonate-user']?.[0] ?? '', 'latin1').toString(),
      headers['impersonate-group'],
    ]);
    const expected = ['jané', ['a', 'b']];
    expect(said).toEqual([expected, expected]);
    await cluster.close();
    await server.stop();
  });
});

onEveryCluster('a user who acts as somebody', {}, (plane) => {
  it('is that one for the server, with no more rights than that one has', async () => {
    const jane = {
      as: 'jane',
      'as-uid': '7',
      'as-groups': ['team-a', 'team-b'],
      'as-user-extra': { 'acme.com/project': ['x', 'y'] },
    };
    const cluster = connect(await kubeConfig({ path: write(parse(readFileSync(plane().kubeconfig, 'utf8')), jane) }));
    const question = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
    expect(await cluster.request('POST', path, { body: question })).toMatchObject({
      status: {
        userInfo: {
          username: 'jane',
          uid: '7',
          groups: ['team-a', 'team-b', 'system:authenticated'],
          extra: { 'acme.com/project': ['x', 'y'] },
        },
      },
    });
    await expect(cluster.list(ConfigMap, { namespace: 'default' })).rejects.toThrow(ForbiddenError);
    await cluster.close();
  });
});
