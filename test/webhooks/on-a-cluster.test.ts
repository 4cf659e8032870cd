// Longer than most files: the life of a kind of several versions, one step after the other.
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { connect, type HttpCluster } from '../../src/client/http-cluster.js';
import { kubeConfig } from '../../src/client/kube-config.js';
import type { ApiResource } from '../../src/kube/api-resource.js';
import type { KubeObject } from '../../src/kube/manifest.js';
import { secrets } from '../../src/webhooks/webhook-certificate.js';
import { eventually } from '../cluster/eventually.js';
import { freePorts } from '../cluster/free-ports.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { Vault } from '../resource/a-guarded-kind.js';
import { Cache } from '../resource/a-kind-of-versions.js';
import { parseExposition, sampleOf } from '../runtime/telemetry/metrics/exposition.js';
import { cacheIn, definitions, home, InstalledWebhooks } from './installed-webhooks.js';

const webhook = 'cache-webhook';
const definition = { name: `${Cache.plural}.${Cache.group}` };
const write = { fieldManager: 'a-person' };

onRealCluster('webhooks', {}, (plane) => {
  let admin: HttpCluster;
  let installed: InstalledWebhooks;
  /** Of the replica that was started last. */
  let metrics: string;

  beforeAll(async () => {
    installed = await InstalledWebhooks.on(plane());
    admin = connect(await kubeConfig({ path: plane().kubeconfig }));
  });
  afterAll(async () => {
    await installed?.remove();
    await admin?.close();
  });

  /** A replica, which the API server reaches past the Service. */
  const start = async (podName: string, more: readonly string[] = []) => {
    const [port = 0, metricsPort = 0] = await freePorts(2);
    metrics = `127.0.0.1:${metricsPort}`;
    const measured = [`--metrics-bind-address=${metrics}`, '--metrics-secure=false'];
    const webhooks = [`--webhook-port=${port}`, `--webhook-url=https://127.0.0.1:${port}`];
    const program = installed.start(podName, [...webhooks, ...measured, ...more]);
    await program.shows('Stores are filled');
    return program;
  };
  const conversion = async () => {
    const { spec } = (await admin.get(definitions, definition)) as KubeObject & {
      spec: { conversion: { strategy: string; webhook: { clientConfig: { caBundle?: string; url?: string } } } };
    };
    return spec.conversion;
  };
  const keptPair = async () =>
    (await admin.get(secrets, { namespace: home, name: webhook })) as KubeObject & { data: object };
  const target = (name: string) => ({ namespace: 'default', name });
  const create = (version: string, name: string, spec: object) =>
    admin.create(
      cacheIn(version),
      { apiVersion: cacheIn(version).apiVersion, kind: 'Cache', metadata: target(name), spec },
      write,
    );
  const specIn = async (version: string, name: string) => (await admin.get(cacheIn(version), target(name)))['spec'];

  it('is rendered without an authority, which the controller makes, and tells the API server', async () => {
    expect((await conversion()).webhook.clientConfig).not.toHaveProperty('caBundle');
    await start('one');
    expect((await conversion()).webhook.clientConfig).toMatchObject({ caBundle: expect.any(String) });
  });

  it('takes each version, stores one, and shows any', async () => {
    // Of the authority it hears by a watch.
    await eventually(() => create('v1beta1', 'old', { replicas: 3 }));
    await create('v1alpha1', 'oldest', { size: 'many' });
    await create('v1', 'new', { size: 0 });
    expect(await specIn('v1', 'old')).toEqual({ size: 3, image: 'memcached:1.6-alpine' });
    expect(await specIn('v1beta1', 'oldest')).toEqual({ replicas: 10 });
    expect(await specIn('v1alpha1', 'new')).toEqual({ size: 'none' });
    const { items } = await admin.list(cacheIn('v1alpha1'), { namespace: 'default' });
    expect(items.map((item) => item['spec'])).toEqual([{ size: 'none' }, { size: 'some' }, { size: 'many' }]);
    await eventually(async () => {
      const { data } = (await admin.get(ConfigMap, target('old-map'))) as KubeObject & { data?: object };
      expect(data).toEqual({ size: '3', image: 'memcached:1.6-alpine' });
    });
  });

  it('warns of a version that is deprecated, and has columns of each', async () => {
    const { stdout, stderr } = await plane().kubectl(['get', `caches.v1beta1.${Cache.group}`, 'old']);
    expect(stderr).toContain('Warning: versions.kilter.dev/v1beta1 Cache is deprecated: use v1');
    expect(stdout).toMatch(/REPLICAS.*\nold\s.*3/);
  });

  it('loses nothing when somebody edits it in a version that has no words for all of it', async () => {
    const { kubectl } = plane();
    await create('v1', 'edited', { size: 3, image: 'memcached:1.7' });
    // The controller may write the status in between.
    await eventually(async () => {
      const { stdout } = await kubectl(['get', `caches.v1beta1.${Cache.group}`, 'edited', '-o', 'json']);
      const edited = JSON.parse(stdout) as { spec: { replicas: number } };
      edited.spec.replicas = 5;
      await kubectl(['replace', '-f', '-'], { stdin: JSON.stringify(edited) });
    });
    const stored = await admin.get(cacheIn('v1'), target('edited'));
    expect(stored['spec']).toEqual({ size: 5, image: 'memcached:1.7' });
    expect(stored.metadata.annotations).toBeUndefined();
  });

  it('shows the others beside one whose annotations leave no room for what an older version has no words for', async () => {
    const metadata = { ...target('full'), annotations: { note: 'x'.repeat(256 * 1024 - 'note'.length) } };
    const { apiVersion } = cacheIn('v1');
    const spec = { size: 3, image: 'memcached:1.7' };
    await admin.create(cacheIn('v1'), { apiVersion, kind: 'Cache', metadata, spec }, write);
    const { items } = await admin.list(cacheIn('v1beta1'), { namespace: 'default' });
    expect(items.find((item) => item.metadata.name === 'full')?.['spec']).toEqual({ replicas: 3 });
    const patch = { type: 'merge', body: { spec: { replicas: 4 } } } as const;
    await expect(admin.patch(cacheIn('v1beta1'), target('full'), patch, write)).rejects.toThrow('cannot be written');
    await admin.delete(cacheIn('v1'), target('full'));
  });

  it('makes nothing of it that somebody writes himself what stands beside such a one', async () => {
    const metadata = { ...target('bait'), annotations: { 'kilter.dev/stored-spec': 'too long' } };
    const { apiVersion } = cacheIn('v1beta1');
    await admin.create(cacheIn('v1beta1'), { apiVersion, kind: 'Cache', metadata, spec: { replicas: 3 } }, write);
    expect(await specIn('v1', 'bait')).toEqual({ size: 3, image: 'memcached:1.6-alpine' });
    await admin.delete(cacheIn('v1'), target('bait'));
  });

  it('says why an object cannot be shown in a version', async () => {
    await create('v1', 'seven', { size: 7 });
    const { stderr } = await plane().kubectl(['get', `caches.v1alpha1.${Cache.group}`, 'seven'], {
      allowFailure: true,
    });
    expect(stderr).toContain(
      'converting Cache/default/seven to versions.kilter.dev/v1alpha1 failed: downgrade: seven has no name',
    );
    await admin.delete(cacheIn('v1'), target('seven'));
  });

  it('is told to the API server again when somebody takes it away', async () => {
    const before = (await conversion()).webhook.clientConfig.caBundle;
    const body = { spec: { conversion: { webhook: { clientConfig: { caBundle: null } } } } };
    await admin.patch(definitions, definition, { type: 'merge', body }, write);
    await eventually(async () => expect((await conversion()).webhook.clientConfig.caBundle).toBe(before));
  });

  it('has one certificate for all replicas, which outlives each of them', async () => {
    const { data } = await keptPair();
    const second = await start('two');
    expect((await keptPair()).data).toEqual(data);
    await second.kill();
    // The API server goes on asking whoever said last where he is.
    await start('three');
    expect((await keptPair()).data).toEqual(data);
    // For a moment it may ask the one that is gone.
    await eventually(async () => expect(await specIn('v1alpha1', 'old')).toEqual({ size: 'some' }));
  });

  it.each([
    ['certificate', 'tls.crt'],
    ['key', 'tls.key'],
  ])('gets another certificate when the %s that is kept is none', async (what, file) => {
    await admin.patch(
      secrets,
      { namespace: home, name: webhook },
      { type: 'merge', body: { data: { [file]: 'AAAA' } } },
      write,
    );
    await start(`after-a-${what}`);
    // Whoever it asks may show the other certificate a moment before it has heard whom to trust.
    await eventually(async () => expect(await specIn('v1alpha1', 'old')).toEqual({ size: 'some' }));
  });

  it('count what they answered, as dashboards of controller-runtime know it', async () => {
    await start('measured');
    const [webhook, guard] = ['/convert', '/validate/vaults.versions.kilter.dev'];
    // The API server does not ask the one that was told last at once.
    await eventually(async () => {
      expect(await specIn('v1alpha1', 'old')).toEqual({ size: 'some' });
      const families = parseExposition(await (await fetch(`http://${metrics}/metrics`)).text());
      const of = (name: string, labels: Readonly<Record<string, string>>) =>
        sampleOf(families, `controller_runtime_webhook_${name}`, labels);
      expect(of('requests_total', { webhook, code: '200' })).toBeGreaterThan(0);
      expect(of('latency_seconds_count', { webhook })).toBe(of('requests_total', { webhook, code: '200' }));
      expect(of('requests_total', { webhook: guard, code: '200' })).toBe(0);
    });
  });

  it('are not served where they are not wanted', async () => {
    const { data } = await keptPair();
    const program = await start('five', ['--webhooks=false']);
    expect(program.output).not.toContain('Serving webhooks');
    expect((await keptPair()).data).toEqual(data);
  });

  describe('of admission', () => {
    const vaultIn = (version: string): ApiResource => ({ ...cacheIn(version), kind: 'Vault', plural: Vault.plural });
    const apply = (name: string, spec: object, version = 'v1') => {
      const { apiVersion } = cacheIn(version);
      const manifest = { apiVersion, kind: 'Vault', metadata: target(name), spec };
      return admin.apply(vaultIn(version), manifest, { ...write, force: true });
    };
    const stored = async (name: string) => (await admin.get(vaultIn('v1'), target(name)))['spec'];

    it('fill in what follows from other fields, in whatever version it is written', async () => {
      await apply('filled', { size: 20 });
      expect(await stored('filled')).toEqual({ size: 20, tier: 'large' });
      await apply('beta', { boxes: 5 }, 'v1beta1');
      expect(await stored('beta')).toEqual({ size: 5, tier: 'small' });
    });

    it.each([
      [
        'by itself',
        'wrong',
        'v1',
        { size: 30, tier: 'small' },
        'Vault.versions.kilter.dev "wrong" is invalid: spec.tier: small is for at most ten',
      ],
      ['after what it was', 'filled', 'v1', { size: 3 }, 'spec.size: 3 is less than half of 20'],
      ['in another version', 'filled', 'v1beta1', { boxes: 3 }, 'spec.size: 3 is less than half of 20'],
      [
        'in a way that its author did not foresee',
        'odd',
        'v1',
        { size: 3, note: 'mistake' },
        'a mistake of its author',
      ],
    ])('refuse what is wrong %s, in the words of its author', async (_, name, version, spec, message) => {
      await expect(apply(name, spec, version)).rejects.toThrow(message);
    });

    it('let go of what is being deleted, unless it becomes wrong only then', async () => {
      await admin.create(
        vaultIn('v1'),
        { ...vault, metadata: { ...target('held'), finalizers: ['kilter.dev/test'] }, spec: { size: 3 } } as never,
        write,
      );
      await admin.delete(vaultIn('v1'), target('held'));
      const free = (more: object) =>
        admin.patch(
          vaultIn('v1'),
          target('held'),
          { type: 'merge', body: { metadata: { finalizers: null }, ...more } },
          write,
        );
      await expect(free({ spec: { note: 'mistake' } })).rejects.toThrow('a mistake of its author');
      await free({});
      await expect(admin.get(vaultIn('v1'), target('held'))).rejects.toThrow('not found');
    });

    it('are not needed for rules in CEL, which the API server knows by itself', async () => {
      const { kubectl, serviceAccountKubeconfig } = plane();
      const somebody = await serviceAccountKubeconfig('default', 'somebody');
      await kubectl([
        'create',
        'clusterrolebinding',
        'somebody',
        '--clusterrole=cluster-admin',
        '--serviceaccount=default:somebody',
      ]);
      const manifest = JSON.stringify({ ...vault, metadata: { name: 'huge' }, spec: { size: 200 } });
      const refused = () =>
        kubectl(['create', '-f', '-'], { stdin: manifest, kubeconfig: somebody, allowFailure: true });
      await eventually(async () => {
        expect((await refused()).stderr).toContain('only administrators have vaults of more than a hundred');
      });
      await kubectl(['create', '-f', '-'], { stdin: manifest });
    });

    it('are no part of what is served otherwise, and take nothing that is no review', async () => {
      const { caBundle = '', url = '' } = (await conversion()).webhook.clientConfig;
      const ask = (path: string, init: { method: string; body?: string }) =>
        answerOf(new URL(path, url), Buffer.from(caBundle, 'base64').toString(), init);
      expect(await ask('/validate/others.versions.kilter.dev', { method: 'POST', body: '{}' })).toBe(404);
      expect(await ask('/constructor', { method: 'POST', body: '{}' })).toBe(404);
      expect(await ask('/convert', { method: 'GET' })).toBe(405);
      expect(await ask('/convert', { method: 'POST', body: 'no JSON' })).toBe(400);
      expect(await ask('/convert', { method: 'POST', body: 'null' })).toBe(400);
      expect(await ask('/convert', { method: 'POST', body: '{"request":{"objects":[7]}}' })).toBe(400);
      const odd = '{"request":{"object":{}}}';
      expect(await ask('/validate/vaults.versions.kilter.dev', { method: 'POST', body: odd })).toBe(400);
      const large = `"${'x'.repeat(7 * 1024 * 1024)}"`;
      expect(await ask('/validate/vaults.versions.kilter.dev', { method: 'POST', body: large })).toBe(413);
    });
  });
});

const vault = { apiVersion: Vault.apiVersion, kind: 'Vault' };

function answerOf(url: URL, ca: string, { method, body }: { method: string; body?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    // It may be cut off before all was sent.
    asked.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? undefined : reject(error)));
    asked.on('close', () => reject(new Error('the connection was closed without an answer')));
    asked.end(body);
  });
}
