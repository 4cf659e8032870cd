import type { Revision } from '../object-store.js';
import { configMaps, namespaces, serviceAccounts } from './built-in.js';
import { addressOf, type Controller, type Desk, keyOf, type Queue } from './controller.js';
import { isOfTerminatingNamespace } from './pod-from-template.js';

const account = 'default';
const rootCertificate = 'kube-root-ca.crt';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

/** What every namespace has from the start, and gets back: a ServiceAccount for its Pods, and whom they may trust. */
export class NamespaceContents implements Controller {
  readonly name = 'namespace-contents';
  readonly hears = [namespaces.storage, serviceAccounts.storage, configMaps.storage];

  constructor(
    private readonly desk: Desk,
    /** PEM. */
    private readonly certificate: string,
  ) {}

  observe({ resource, object }: Revision, queue: Queue): void {
    const { name, namespace } = object.metadata;
    if (resource === namespaces.storage) queue.add(keyOf(object));
    else if (name === (resource === configMaps.storage ? rootCertificate : account)) queue.add(`/${namespace}`);
  }

  reconcile(key: string): void {
    const { name: namespace } = addressOf(key);
    const there = this.desk.index.get(namespaces, undefined, namespace);
    if (!there || there.metadata.deletionTimestamp !== undefined) return;
    try {
      if (!this.desk.index.get(serviceAccounts, namespace, account)) {
        this.desk.writer.create(serviceAccounts, namespace, { metadata: { name: account, namespace } });
      }
      this.#keepCertificate(namespace);
    } catch (error) {
      if (!isOfTerminatingNamespace(error)) throw error;
    }
  }

  #keepCertificate(namespace: string): void {
    const data = { 'ca.crt': this.certificate };
    const there = this.desk.index.get(configMaps, namespace, rootCertificate);
    if (!there) {
      const metadata = { name: rootCertificate, namespace, annotations: { 'kubernetes.io/description': description } };
      this.desk.writer.create(configMaps, namespace, { metadata, data });
    } else if (there.data?.['ca.crt'] !== this.certificate || Object.keys(there.data).length !== 1) {
      this.desk.writer.update(configMaps, { ...there, data });
    }
  }
}
