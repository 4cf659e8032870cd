import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { StatusError } from '../../../src/embedded/status-error.js';
import type { Json, KubeObject } from '../../../src/kube/manifest.js';
import { admin, TestDesk } from './desk.js';

const hour = 3600;
const leeway = 60;

/** A desk with the ServiceAccount `default/sa`. */
function deskWithAccount(): { readonly desk: TestDesk; readonly account: KubeObject } {
  const desk = new TestDesk();
  return { desk, account: desk.put(object('ServiceAccount', 'sa')) };
}

function object(kind: string, name: string, spec?: object) {
  const metadata = { name, ...(kind === 'Node' ? {} : { namespace: 'default' }) };
  return { apiVersion: 'v1', kind, metadata, ...(spec ? { spec } : {}) };
}

function tokenOf(desk: TestDesk, spec: Json = {}): string {
  const at = { namespace: 'default', name: 'sa' };
  const answer = desk.ask('/v1/serviceaccounts/token', { spec }, admin, at);
  return (answer as unknown as { readonly status: { readonly token: string } }).status.token;
}

function claimsOf(token: string): { readonly [claim: string]: Json } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

describe('a token of a ServiceAccount', () => {
  it('stands for the ServiceAccount', () => {
    const { desk, account } = deskWithAccount();
    expect(desk.tokens.authenticate(`Bearer ${tokenOf(desk)}`)).toEqual({
      name: 'system:serviceaccount:default:sa',
      uid: account.metadata.uid,
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)] },
    });
  });

  it('can be verified by others with the published key', () => {
    const { desk } = deskWithAccount();
    const token = tokenOf(desk);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { readonly kid: string };
    const [jwk] = desk.tokens.keySet.keys as readonly { readonly kid: string }[];
    expect(jwk).toMatchObject({ kid, alg: 'ES256', use: 'sig' });
    const key = createPublicKey({ key: jwk as never, format: 'jwk' });
    const signed = Buffer.from(`${header}.${payload}`);
    expect(verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))).toBe(
      true,
    );
  });

  it.each<[string, (desk: TestDesk, account: KubeObject) => void, string]>([
    ['expired', (desk) => desk.pass(hour + leeway + 1), 'service account token has expired'],
    ['not valid yet', (desk) => desk.pass(-leeway - 1), 'service account token is not valid yet'],
    [
      'deleted',
      (desk, account) => void desk.store.remove('serviceaccounts', account),
      'serviceaccounts "sa" not found',
    ],
    [
      'recreated',
      (desk) => void desk.put(object('ServiceAccount', 'sa'), 'another'),
      'service account UID (another) does not match claim (uid of sa)',
    ],
    [
      'long in deletion',
      (desk, account) => {
        const deletionTimestamp = new Date((desk.seconds - leeway - 1) * 1000).toISOString();
        desk.put({ ...account, metadata: { ...account.metadata, deletionTimestamp } });
      },
      'service account default/sa has been deleted',
    ],
  ])('is dead when %s', (_, happen, problem) => {
    const { desk, account } = deskWithAccount();
    const token = tokenOf(desk);
    expect(desk.tokens.review(token)).toMatchObject({ caller: { name: 'system:serviceaccount:default:sa' } });
    happen(desk, account);
    expect(desk.tokens.review(token)).toEqual({ problem: `[invalid bearer token, ${problem}]` });
    expect(() => desk.tokens.authenticate(`Bearer ${token}`)).toThrow(StatusError);
  });

  it.each(['Secret', 'Pod', 'Node'])('bound to a %s dies with it', (kind) => {
    const { desk } = deskWithAccount();
    const bound = desk.put(object(kind, 'b', kind === 'Pod' ? { serviceAccountName: 'sa' } : undefined));
    const token = tokenOf(desk, { boundObjectRef: { kind, apiVersion: 'v1', name: 'b' } });
    expect(desk.tokens.review(token)).toHaveProperty('caller');

    const storage = `${kind.toLowerCase()}s`;
    desk.store.remove(storage, bound);
    const gone = '[invalid bearer token, service account token has been invalidated]';
    expect(desk.tokens.review(token)).toEqual({ problem: gone });

    desk.put(object(kind, 'b'), 'another');
    const what = kind.toLowerCase();
    expect(desk.tokens.review(token)).toEqual({
      problem: `[invalid bearer token, ${what} UID (another) does not match service account ${what} ref claim (uid of b)]`,
    });
  });

  it('of a Pod tells its Pod and its Node', () => {
    const { desk } = deskWithAccount();
    desk.put(object('Node', 'n'));
    desk.put(object('Pod', 'p', { serviceAccountName: 'sa', nodeName: 'n' }));
    const token = tokenOf(desk, { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } });
    expect(desk.tokens.authenticate(`bearer ${token}`).extra).toMatchObject({
      'authentication.kubernetes.io/node-name': ['n'],
      'authentication.kubernetes.io/node-uid': ['uid of n'],
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['uid of p'],
    });
  });

  it('of a Pod that asks for the usual time lives for a year, and says when to warn', () => {
    const { desk } = deskWithAccount();
    desk.put(object('Pod', 'p', { serviceAccountName: 'sa' }));
    const wish = { expirationSeconds: 3607, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } };
    expect(claimsOf(tokenOf(desk, wish))).toMatchObject({
      exp: desk.seconds + 365 * 24 * hour,
      'kubernetes.io': { warnafter: desk.seconds + 3607 },
    });
  });

  it('is for a Pod of this very ServiceAccount only', () => {
    const { desk } = deskWithAccount();
    desk.put(object('Pod', 'p', { serviceAccountName: 'other' }));
    const body = { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } } };
    const answer = desk.ask('/v1/serviceaccounts/token', body, admin, { namespace: 'default', name: 'sa' });
    expect(answer).toMatchObject({
      code: 400,
      message: 'cannot bind token for serviceaccount "sa" to pod running with different serviceaccount name.',
    });
  });

  it('is not taken once anything in it was changed', () => {
    const { desk } = deskWithAccount();
    const [header, payload, signature] = tokenOf(desk).split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = claimsOf(`.${payload}.`);
    const forged = encode({ ...claims, sub: 'system:serviceaccount:kube-system:admin' });
    const primitive = 'go-jose/go-jose: error in cryptographic primitive';
    for (const [token, problem] of [
      [`${header}.${forged}.${signature}`, primitive],
      [`${encode({ alg: 'none' })}.${payload}.`, primitive],
      [`${encode({ alg: 'HS256' })}.${payload}.${signature}`, primitive],
      [`${header}.${payload}.${signature}A`, primitive],
      [`${header}.${payload}.${signature}=`, primitive],
      [`${encode({ alg: 'ES256', kid: 'other' })}.${payload}.${signature}`, 'invalid signature, no keys found'],
    ] as const) {
      expect([token, desk.tokens.review(token)]).toEqual([token, { problem: `[invalid bearer token, ${problem}]` }]);
    }
    const foreign = `${header}.${encode({ ...claims, iss: 'https://other' })}.${signature}`;
    for (const token of [foreign, 'a.b.c', 'a.b', `${header}.${payload}.${signature}.x`]) {
      expect(desk.tokens.review(token)).toEqual({ problem: 'invalid bearer token' });
    }
  });

  it('of one server says nothing to another', () => {
    const token = tokenOf(deskWithAccount().desk);
    expect(deskWithAccount().desk.tokens.review(token)).toHaveProperty('problem');
  });
});

describe('an Authorization header', () => {
  const { desk } = deskWithAccount();

  it.each([undefined, '', 'Bearer', 'Bearer  secret', 'Basic secret', 'secret'])('of %j is of nobody', (header) => {
    expect(desk.tokens.authenticate(header)).toEqual({ name: 'system:anonymous', groups: ['system:unauthenticated'] });
  });

  it.each(['Bearer secret', 'bearer secret', ' Bearer secret ', 'Bearer secret more'])('of %j is known', (header) => {
    expect(desk.tokens.authenticate(header)).toEqual({
      name: 'admin',
      uid: 'admin',
      groups: ['system:masters', 'system:authenticated'],
    });
  });

  it.each(['Bearer other', 'Bearer a.b.c', 'Bearer __proto__'])('of %j is refused', (header) => {
    expect(() => desk.tokens.authenticate(header)).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 401, message: 'Unauthorized' }) }),
    );
  });
});
