import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventsEvent, Secret } from '../../../imports/k8s.js';
import {
  type CustomResource,
  customResource,
  type ExternalCall,
  type ExternalOf,
  one,
  operator,
  s,
} from '../../../src/index.js';
import { startCluster, type TestCluster, type TestController } from '../../../src/testing/index.js';
import { conditionIn } from '../../condition-in.js';

const Bucket = customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Bucket',
  spec: s.object({ account: s.string() }),
  status: s.object({ owner: s.string() }),
});

const reads = {
  account: one(Secret, (cr: CustomResource<{ readonly account: string }>) => ({ name: cr.spec.account })),
};
type Call = ExternalCall<typeof reads>;

describe('what is outside the cluster, by the account that a custom resource names', () => {
  let cluster: TestCluster;
  let controller: TestController;
  /** Who owns the bucket, in a service where each has an account of his own. */
  let bucket: { readonly owner: string } | undefined;
  let valid: readonly string[];

  const login = ({ reads: { account } }: Call): string => {
    if (!account) throw new Error('there is no account yet');
    const token = Buffer.from(account.data?.['token'] ?? '', 'base64').toString();
    if (!valid.includes(token)) throw new Error(`the service does not know ${token}`);
    return token.split('-')[0]!;
  };
  const own: ExternalOf<typeof Bucket, { readonly owner: string }, typeof reads> = {
    pollSeconds: 3600,
    async observe(_, call) {
      login(call);
      return bucket;
    },
    async ensure(_, __, call) {
      bucket = { owner: login(call) };
      return bucket;
    },
    async remove(_, call) {
      login(call);
      bucket = undefined;
    },
  };
  const buckets = operator(Bucket, {
    owns: [],
    reads,
    external: { own },
    compose() {},
    status: (_, __, ___, external) => ({ owner: external.own?.owner ?? '' }),
  });

  beforeEach(async () => {
    bucket = undefined;
    valid = ['ann-hunter2hunter2', 'bob-hunter3hunter3'];
    cluster = await startCluster();
    controller = await cluster.run(buckets);
  });
  afterEach(() => cluster.stop());

  const account = (token: string) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'mine' },
    stringData: { token },
  });
  const create = () =>
    cluster.apply({
      apiVersion: Bucket.apiVersion,
      kind: Bucket.kind,
      metadata: { name: 'a' },
      spec: { account: 'mine' },
    });
  const ready = async () => conditionIn(await cluster.get(Bucket, 'a'));

  it('waits until the account is there, and goes on with another as soon as it is changed', async () => {
    await create();
    await cluster.settled();
    expect(await ready()).toMatchObject({
      status: 'False',
      message: expect.stringContaining('own cannot be brought up to date: there is no account yet'),
    });
    await cluster.apply(account('ann-hunter2hunter2'));
    await cluster.settled();
    expect(await ready()).toMatchObject({ status: 'True' });
    expect(bucket).toEqual({ owner: 'ann' });
    await cluster.apply(account('bob-hunter3hunter3'));
    await cluster.settled();
    expect((await cluster.get(Bucket, 'a')).status).toMatchObject({ owner: 'bob' });
  });

  it('is removed by that account, also by a process that has only begun', async () => {
    await cluster.apply(account('ann-hunter2hunter2'));
    await create();
    await cluster.settled();
    await controller.stop();
    await cluster.delete(Bucket, 'a');
    controller = await cluster.run(buckets);
    await cluster.settled();
    expect(bucket).toBeUndefined();
    expect(await cluster.list(Bucket)).toEqual([]);
  });

  it('holds the custom resource while the account lacks, until it is there or somebody gives it up', async () => {
    await cluster.apply(account('ann-hunter2hunter2'));
    await create();
    await cluster.settled();
    await cluster.delete(Secret, 'mine');
    await cluster.delete(Bucket, 'a');
    await cluster.settled();
    expect(await ready()).toMatchObject({
      message: expect.stringContaining('own cannot be removed: there is no account yet; its deletion waits for that'),
    });
    expect(bucket).toEqual({ owner: 'ann' });
    await cluster.apply(account('ann-hunter2hunter2'));
    await cluster.settled();
    expect([bucket, await cluster.list(Bucket)]).toEqual([undefined, []]);
  });

  it('is told without what the account holds, also while it is removed', async () => {
    const told = async () =>
      JSON.stringify([await cluster.list(Bucket), await cluster.list(EventsEvent), controller.log]);
    await cluster.apply(account('ann-hunter2hunter2'));
    await create();
    await cluster.settled();
    valid = [];
    await cluster.apply(account('ann-hunter4hunter4'));
    await cluster.settled();
    expect((await ready())?.message).toContain('the service does not know (hidden)');
    await cluster.delete(Bucket, 'a');
    await cluster.settled();
    expect((await ready())?.message).toContain('own cannot be removed: the service does not know (hidden)');
    expect(await told()).not.toContain('hunter');
  });

  it('can change nothing of what is read', async () => {
    await cluster.apply(account('ann-hunter2hunter2'));
    const thief: typeof own = {
      ...own,
      observe: async (_, call) => {
        (call.reads.account as { data?: object }).data = {};
        return undefined;
      },
    };
    await controller.stop();
    await cluster.run(
      operator(Bucket, { owns: [], reads, external: { thief }, compose() {}, status: () => ({ owner: '' }) }),
    );
    await create();
    await cluster.settled();
    expect((await ready())?.message).toMatch(/read only|Cannot assign/);
  });
});
