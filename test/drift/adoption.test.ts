import { describe, expect, it } from '@jest/globals';
import { inheriting, isAdoptable, isTool } from '../../src/drift/adoption.js';
import type { KubeObject, ManagedFieldsEntry } from '../../src/kube/manifest.js';

const uidLabel = 'web.example.com/owner-uid';
const object = (metadata: object): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'settings', uid: '1', resourceVersion: '1', ...metadata },
  }) as never;
const entry = (manager: string, fields: object, rest: object = {}): ManagedFieldsEntry =>
  ({ manager, operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: fields, ...rest }) as never;

describe('an object is adopted', () => {
  const nobodys = object({});
  const controlled = object({
    ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: '2', controller: true }],
  });
  const merelyOwned = object({ ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: '2' }] });
  const ofTheLiving = object({ labels: { [uidLabel]: 'alive', 'app.kubernetes.io/managed-by': 'web' } });
  const managedBy = 'app.kubernetes.io/managed-by';
  const ofTheGone = object({ labels: { [uidLabel]: 'gone', [managedBy]: 'web' } });
  const ofTheGoneByFields = object({
    labels: { [uidLabel]: 'gone', [managedBy]: 'platform' },
    managedFields: [entry('old-web', {})],
  });
  const ofAnotherKind = object({
    labels: { [uidLabel]: 'gone', [managedBy]: 'shop' },
    managedFields: [entry('shop', {})],
  });
  const ofStatusAlone = object({
    labels: { [uidLabel]: 'gone', [managedBy]: 'shop' },
    managedFields: [entry('web', {}, { subresource: 'status' })],
  });
  const ofOthers = object({ labels: { 'other.example.com/owner-uid': 'gone' } });

  it.each([
    ['nobody’s', nobodys, false, true, true],
    ['owned, and not controlled', merelyOwned, false, true, true],
    ['controlled', controlled, false, false, false],
    ['a custom resource’s that there is', ofTheLiving, false, false, false],
    ['a custom resource’s that is gone', ofTheGone, false, false, true],
    ['a custom resource’s that is gone, under a label of its author', ofTheGoneByFields, false, false, true],
    ['a custom resource’s of another kind of the group', ofAnotherKind, false, false, false],
    ['another’s, of which the operator wrote a status', ofStatusAlone, false, false, false],
    ['a custom resource’s of another operator', ofOthers, false, false, false],
  ])('or not, when it is %s', (_, there, never, orphans, always) => {
    const owner = { uid: 'me', uidLabel };
    const isAlive = (uid: string) => uid === 'alive';
    expect([never, orphans, always]).toEqual(
      (['never', 'orphans', 'always'] as const).map((mode) =>
        isAdoptable(there, owner, { mode, isAlive }, ['web', 'old-web']),
      ),
    );
  });

  it.each([
    ['kubectl-client-side-apply', true],
    ['kubectl', true],
    ['kubectl-run', true],
    ['kubectl-expose', true],
    ['kubectl-autoscale', true],
    ['helm', true],
    ['kubectl-rollout', false],
    ['kube-controller-manager', false],
    ['argocd-controller', true],
    ['argocd-application-controller', true],
    ['kustomize-controller', true],
    ['helm-controller', true],
    ['source-controller', false],
  ])('with what %s wrote, or without: %s', (manager, expected) => {
    expect(isTool(manager)).toBe(expected);
  });
});

describe('what others wrote is inherited', () => {
  const inherit = (entries: readonly ManagedFieldsEntry[], kept: readonly (readonly string[])[] = []) =>
    inheriting(object({ managedFields: entries }), 'web', isTool, kept)?.metadata.managedFields;

  it('into one entry of ours', () => {
    const [a, b] = [{ 'f:data': { 'f:a': {} } }, { 'f:data': { 'f:b': {} } }];
    expect(inherit([entry('kubectl', a), entry('helm', b, { operation: 'Apply' })])).toEqual([
      expect.objectContaining({
        manager: 'web',
        operation: 'Update',
        fieldsV1: { 'f:data': { 'f:a': {}, 'f:b': {} } },
      }),
    ]);
  });

  it('beside what we wrote already, and what strangers and subresources have stays theirs', () => {
    const [a, b] = [{ 'f:data': { 'f:a': {} } }, { 'f:data': { 'f:b': {} } }];
    const others = [entry('a-person', b), entry('kubectl', { 'f:status': {} }, { subresource: 'status' })];
    expect(inherit([entry('web', b), entry('kubectl', a), ...others])).toEqual([
      ...others,
      entry('web', { 'f:data': { 'f:a': {}, 'f:b': {} } }),
    ]);
  });

  it('but for what is given up', () => {
    const fields = { 'f:spec': { 'f:replicas': {}, 'f:paused': {} } };
    expect(inherit([entry('kubectl', fields)], [['f:spec', 'f:replicas']])).toEqual([
      entry('kubectl', { 'f:spec': { 'f:replicas': {} } }),
      expect.objectContaining({ manager: 'web', fieldsV1: { 'f:spec': { 'f:paused': {} } } }),
    ]);
  });

  it('or not at all, when there is nothing', () => {
    expect(inherit([entry('a-person', { 'f:data': {} })])).toBeUndefined();
  });
});
