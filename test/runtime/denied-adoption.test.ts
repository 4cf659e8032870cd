import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { admissionPolicy } from '../../src/embedded/custom/admission-policy.js';
import type { AskedWrite } from '../../src/embedded/reviewer.js';
import { badRequest } from '../../src/embedded/status-error.js';
import { customResource, operator, s } from '../../src/index.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { startCluster, type TestCluster } from '../../src/testing/index.js';
import { conditionIn } from '../condition-in.js';
import { Page } from './an-adopting-page.js';

/** A kind of somebody else's, whose objects a policy of the cluster judges. */
const Sheet = customResource({
  group: 'sheets.example.com',
  version: 'v1',
  kind: 'Sheet',
  spec: s.object({
    text: s.string(),
    note: s.string({ optional: true }),
    marks: s.map(s.string(), { optional: true }),
  }),
});
const page = operator(Page, {
  owns: [Sheet],
  adopt: 'orphans',
  compose: (scope, { spec }) => void new Sheet(scope, 'default', { spec: { text: spec.text, marks: {} } }),
});

let cluster: TestCluster;
beforeEach(async () => {
  cluster = await startCluster();
  await cluster.install(Sheet.crd());
});
afterEach(() => cluster.stop());

const judged = (validate: (write: AskedWrite) => void) => {
  const [group] = Sheet.apiVersion.split('/');
  const convert = (object: KubeObject) => object;
  cluster.server.reviewers.set(`${Sheet.plural}.${group}`, { apiVersion: Sheet.apiVersion, convert, validate });
};
/** Without a cause, as webhooks refuse. */
const denied = ({ now }: AskedWrite) => {
  if ((now as { readonly spec?: { readonly text?: string } }).spec?.text !== 'ours') return;
  throw badRequest('admission webhook "judge.example.com" denied the request: no');
};
const policy = (expression: string) =>
  admissionPolicy({
    name: 'judge',
    resource: Sheet,
    validations: [{ expression, message: 'no' }],
    userInfo: () => ({}),
  });
const theirs = { text: 'theirs', note: 'kept', marks: { a: 'theirs' } };
const wish = (text: string) =>
  cluster.apply({ apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'a' }, spec: { text } });
const ready = async () => conditionIn(await cluster.get(Page, 'a'));

it.each([
  ['a policy for updates', policy('oldObject == null || object.spec.text == oldObject.spec.text')],
  ['a policy', policy("object.spec.text != 'ours'")],
  ['a webhook', denied],
  ['a webhook for updates', (write: AskedWrite) => write.before && denied(write)],
])('what %s refuses stays with who had it, and is adopted as soon as it may be', async (_, validate) => {
  await cluster.apply({ apiVersion: Sheet.apiVersion, kind: Sheet.kind, metadata: { name: 'a' }, spec: theirs });
  const { metadata, ...before } = await cluster.get(Sheet, 'a');
  judged(validate);
  await cluster.run(page);
  await wish('ours');
  await cluster.settled();
  await cluster.advance(4000);

  const after = await cluster.get(Sheet, 'a');
  const counted = { resourceVersion: expect.any(String), generation: expect.any(Number) };
  expect(after).toEqual({ ...before, metadata: { ...metadata, ...counted } });
  expect(await ready()).toMatchObject({ status: 'False', reason: 'ApplyFailed' });
  await cluster.advance(20_000);
  expect((await cluster.get(Sheet, 'a')).metadata.resourceVersion).toBe(after.metadata.resourceVersion);

  judged(() => {});
  await wish('ours again');
  await cluster.settled();
  expect(await cluster.get(Sheet, 'a')).toMatchObject({ spec: { text: 'ours again', marks: {} } });
  expect((await cluster.get(Sheet, 'a')).spec.note).toBeUndefined();
  expect(await ready()).toMatchObject({ status: 'True' });
});

it('what a webhook for updates refuses keeps the note of whoever applied it before', async () => {
  const metadata = { name: 'a', annotations: { 'kilter.dev/applied-hash': 'theirs' } };
  await cluster.apply({ apiVersion: Sheet.apiVersion, kind: Sheet.kind, metadata, spec: theirs });
  const { metadata: was, ...before } = await cluster.get(Sheet, 'a');
  judged((write) => write.before && denied(write));
  await cluster.run(page);
  await wish('ours');
  await cluster.settled();

  const counted = { resourceVersion: expect.any(String), generation: expect.any(Number) };
  expect(await cluster.get(Sheet, 'a')).toEqual({ ...before, metadata: { ...was, ...counted } });
  expect(await ready()).toMatchObject({ status: 'False', reason: 'ApplyFailed' });
});
