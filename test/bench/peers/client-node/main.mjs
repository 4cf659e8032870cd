/** What one writes today with @kubernetes/client-node alone: three informers, a set as the queue, and server-side apply. */
import {
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';

const kubeConfig = new KubeConfig();
kubeConfig.loadFromDefault();
const objects = KubernetesObjectApi.makeApiClient(kubeConfig);
const custom = kubeConfig.makeApiClient(CustomObjectsApi);
const apps = kubeConfig.makeApiClient(AppsV1Api);
const core = kubeConfig.makeApiClient(CoreV1Api);

const group = 'cache.example.com';
const kind = { group, version: 'v1', plural: 'memcacheds' };
const workers = Number(process.env.BENCH_WORKERS ?? 16);

// The one call of this API that names the plural otherwise.
const plural = { group, version: kind.version, resourcePlural: kind.plural };
const memcacheds = informer(`/apis/${group}/v1/memcacheds`, () => custom.listCustomObjectForAllNamespaces(plural));
const deployments = informer('/apis/apps/v1/deployments', () => apps.listDeploymentForAllNamespaces());
const services = informer('/api/v1/services', () => core.listServiceForAllNamespaces());

const waiting = new Set();
const running = new Set();
/** Until all three know what there is, a child that is only not listed yet would be taken for one that is missing. */
let isSynced = false;
for (const event of ['add', 'update', 'delete']) {
  memcacheds.on(event, ({ metadata }) => add(metadata.namespace, metadata.name));
  for (const children of [deployments, services]) {
    children.on(event, ({ metadata }) => {
      const owner = metadata.ownerReferences?.find(({ controller }) => controller);
      if (owner) add(metadata.namespace, owner.name);
    });
  }
}
process.on('SIGTERM', () => process.exit(0));
await Promise.all([memcacheds.start(), deployments.start(), services.start()]);
isSynced = true;
work();

function informer(path, list) {
  const made = makeInformer(kubeConfig, path, list);
  const begin = () => made.start().catch(again);
  const again = (error) => {
    console.error(`informer of ${path}: ${error.message}`);
    setTimeout(begin, 1000);
  };
  made.on('error', again);
  return made;
}

function add(namespace, name) {
  waiting.add(`${namespace}/${name}`);
  work();
}

function work() {
  if (!isSynced) return;
  for (const key of waiting) {
    if (running.size >= workers) return;
    if (running.has(key)) continue;
    waiting.delete(key);
    running.add(key);
    const [namespace, name] = key.split('/');
    reconcile(namespace, name)
      .catch(() => setTimeout(() => add(namespace, name), 500))
      .finally(() => {
        running.delete(key);
        work();
      });
  }
}

async function reconcile(namespace, name) {
  const memcached = memcacheds.get(name, namespace);
  if (!memcached || memcached.metadata.deletionTimestamp) return;
  const labels = { 'app.kubernetes.io/name': 'memcached', 'app.kubernetes.io/instance': name };
  const owner = { apiVersion: `${group}/v1`, kind: 'Memcached', name, uid: memcached.metadata.uid };
  const ownerReferences = [{ ...owner, controller: true, blockOwnerDeletion: true }];
  const metadata = { name, namespace, labels, ownerReferences };

  const deployment = deployments.get(name, namespace);
  const ports = [{ containerPort: 11211, name: 'memcached' }];
  await ensure(deployment, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: memcached.spec.size,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'memcached', image: memcached.spec.image, ports }] },
      },
    },
  });
  await ensure(services.get(name, namespace), {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { clusterIP: 'None', selector: labels, ports: [{ name: 'memcached', port: 11211 }] },
  });
  const status = {
    readyReplicas: deployment?.status?.readyReplicas ?? 0,
    observedGeneration: memcached.metadata.generation,
  };
  if (covers(status, memcached.status)) return;
  await custom.patchNamespacedCustomObjectStatus(
    { ...kind, namespace, name, body: { status } },
    setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
  );
}

async function ensure(observed, desired) {
  const { apiVersion: _, kind: __, ...content } = desired;
  if (observed && covers(content, observed)) return;
  // It changes what it is handed.
  await objects.patch(structuredClone(desired), undefined, undefined, 'peer', true, PatchStrategy.ServerSideApply);
}

/** True when all that is wanted is there, with our values. */
function covers(wanted, found) {
  if (wanted === found) return true;
  if (typeof wanted !== 'object' || typeof found !== 'object' || !wanted || !found) return false;
  if (Array.isArray(wanted)) {
    return Array.isArray(found) && wanted.length === found.length && wanted.every((item, i) => covers(item, found[i]));
  }
  return Object.keys(wanted).every((key) => covers(wanted[key], found[key]));
}
