import { Chart } from 'cdk8s';
import type { Construct } from 'constructs';
import type { ApiResource } from '../kube/api-resource.js';
import type { Manifest } from '../kube/manifest.js';
import type { PolicyRule } from '../kube/policy-rule.js';
import { admissionSteps } from '../kube/webhook.js';
import { type MetadataProps, TypedObject } from '../resource/typed-object.js';
import { admissionWebhooks, policySpec } from './admission.js';
import { collectorPorts } from './collector-ports.js';
import { certificatesOf, homeOf, metricsInstallOf, type OperatorInstallProps } from './install-props.js';
import type { InstalledOperator } from './installed-operator.js';
import { kindName } from './kind-name.js';
import { kinds } from './kinds.js';
import { type Component, labelsOf } from './labels.js';
import { type MetricsInstall, metricsName, metricsServiceSpec, serviceMonitorSpec } from './metrics.js';
import { networkPolicySpec, usualApiServerPorts } from './network-policy.js';
import { proxyPorts } from './proxy-ports.js';
import { refuseEnvironment } from './refuse-environment.js';
import { refuseImpossibleInstall } from './refuse-impossible-install.js';
import { refuseNames } from './refuse-names.js';
import { refuseUntypedInstall } from './refuse-untyped-install.js';
import { refuseWorkload } from './refuse-workload.js';
import { controllerRules, leaderElectionRules, metricsAuthRules, metricsReaderRules } from './rules.js';
import { settingPorts } from './setting-ports.js';
import { userRoles } from './user-roles.js';
import {
  convertedBy,
  hasWebhooks,
  webhookBundleRules,
  webhookName,
  webhookSecretRules,
  webhookServiceSpec,
} from './webhooks.js';
import { certificateFolder, defaultRoom, deploymentSpec, healthPort, metricsPort } from './workload.js';

/**
 * A controller and everything it needs in a cluster, as one chart, hence one Argo CD Application: Namespace, CRDs, rights,
 * NetworkPolicy and Deployment. Custom resources belong elsewhere, so that deleting the one never waits for the other.
 *
 * **Guarantees.** The rights are those that the runtime uses for these operators, by name, and the `rights` that they name: no `*` of
 * ours, and no Secrets unless an operator owns or reads them, but in its own namespace that of its webhooks' certificate, which it makes
 * unless it is given one. Every object but the CRDs and the Namespace is named by `id`, with a suffix where there are several.
 */
export class OperatorInstall extends Chart {
  readonly #name: string;
  readonly #home: string;

  constructor(scope: Construct, id: string, props: OperatorInstallProps) {
    const namespace = homeOf(id, props);
    super(scope, id, { namespace, disableResourceNameHashes: true });
    this.#name = id;
    this.#home = namespace;
    refuseUntypedInstall(id, props);
    refuseImpossibleInstall(id, props);
    refuseWorkload(id, props);
    refuseEnvironment(id, props);
    refuseNames(id, props);

    if (props.createNamespace !== false) this.#addNamespace();
    for (const { resource } of props.definitions === false ? [] : props.operators) {
      const service = { name: webhookName(id), namespace };
      this.#addDefinition(resource.isConvertible ? convertedBy(resource.crd(), service) : resource.crd());
    }
    this.#addRights(props);
    for (const operator of props.operators) this.#addUserRoles(operator, kindName(operator, props.operators));
    this.#addWorkload(props);
    this.#addAdmission(props);
  }

  #addNamespace(): void {
    const labels = Object.fromEntries(
      ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
    );
    this.#add(kinds.namespace, this.#home, 'namespace', {}, labels);
  }

  #addDefinition(crd: Manifest): void {
    const { apiVersion: _, kind: __, metadata, ...rest } = crd;
    const { labels, annotations } = metadata;
    this.#add(kinds.customResourceDefinition, metadata.name, 'crd', { ...rest, metadata: { annotations } }, labels);
  }

  #addRights(props: OperatorInstallProps): void {
    const { operators, watchNamespaces, metrics, webhooks } = props;
    this.#add(kinds.serviceAccount, this.#name, 'rbac', {
      // Only the controller's own pods get a token, because they ask for it.
      automountServiceAccountToken: false,
    });
    const rules = controllerRules(operators);
    if (watchNamespaces === undefined) {
      this.#grant(this.#name, rules);
    } else {
      for (const namespace of watchNamespaces) this.#grant(this.#name, rules, namespace);
    }
    this.#grant(`${this.#name}-leader-election`, leaderElectionRules(this.#name), this.#home);
    if (hasWebhooks(operators) && webhooks === undefined) {
      this.#grant(webhookName(this.#name), webhookSecretRules(this.#name), this.#home);
      this.#grant(webhookName(this.#name), webhookBundleRules(this.#name, props));
    }
    if (metrics === false) return;
    // Who asks and whether they may is a question to the whole cluster, wherever custom resources are watched.
    this.#grant(`${this.#name}-metrics-auth`, metricsAuthRules);
    this.#add(kinds.clusterRole, `${this.#name}-metrics-reader`, 'rbac', { rules: metricsReaderRules });
  }

  /** A role and its binding to the controller's account; in one namespace or, without one, in the whole cluster. */
  #grant(name: string, rules: readonly PolicyRule[], namespace?: string): void {
    const [role, binding] =
      namespace === undefined ? [kinds.clusterRole, kinds.clusterRoleBinding] : [kinds.role, kinds.roleBinding];
    this.#add(role, name, 'rbac', { rules }, {}, namespace);
    this.#add(
      binding,
      name,
      'rbac',
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name },
        subjects: [{ kind: 'ServiceAccount', name: this.#name, namespace: this.#home }],
      },
      {},
      namespace,
    );
  }

  #addUserRoles(operator: InstalledOperator, kind: string): void {
    for (const { role, aggregateTo, rules } of userRoles(operator)) {
      const name = `${this.#name}-${kind}-${role}`;
      const label = aggregateTo && { [`rbac.authorization.k8s.io/aggregate-to-${aggregateTo}`]: 'true' };
      this.#add(kinds.clusterRole, name, 'rbac', { rules }, label);
    }
  }

  #addWorkload(props: OperatorInstallProps): void {
    const name = this.#name;
    const { apiServerPorts = usualApiServerPorts, servicePorts = [], env = {}, watchNamespaces } = props;
    const metrics = metricsInstallOf(props);
    const webhooks = hasWebhooks(props.operators);
    const certificates = certificatesOf(props);
    this.#add(kinds.networkPolicy, name, 'network-policy', {
      spec: networkPolicySpec({
        name,
        metrics: metrics !== undefined,
        webhooks,
        apiServerPorts,
        servicePorts: [...servicePorts, ...settingPorts(props)],
        proxyPorts: proxyPorts(name, env),
        collectorPorts: collectorPorts(name, env),
      }),
    });
    const spec = deploymentSpec({
      name,
      image: props.image,
      replicas: props.replicas ?? 1,
      room: props.room ?? defaultRoom,
      args: [
        // Its rights reach no further, whatever else the image could run.
        `--operators=${props.operators.map((operator) => operator.name).join()}`,
        '--leader-elect',
        `--leader-election-id=${name}`,
        `--health-probe-bind-address=:${healthPort}`,
        `--metrics-bind-address=${metrics ? `:${metricsPort}` : '0'}`,
        ...certificates.map(({ of }) => `--${of}-cert-path=${certificateFolder(of)}`),
        ...(watchNamespaces === undefined ? [] : [`--watch-namespaces=${watchNamespaces.join()}`]),
        ...(props.args ?? []),
      ],
      env,
      metrics: metrics !== undefined,
      webhooks,
      certificates,
    });
    this.#add(kinds.deployment, name, 'controller', { spec }, { 'control-plane': 'controller-manager' });
    if (metrics) this.#addMetrics(metrics);
    if (webhooks) this.#add(kinds.service, webhookName(name), 'webhooks', { spec: webhookServiceSpec(name) });
  }

  #addAdmission({ operators, watchNamespaces }: OperatorInstallProps): void {
    const controller = { name: this.#name, namespace: this.#home, watchNamespaces };
    for (const step of admissionSteps) {
      const webhooks = admissionWebhooks(step, operators, controller);
      if (webhooks.length > 0) this.#add(kinds[step], webhookName(this.#name), 'admission', { webhooks });
    }
    for (const operator of operators) {
      if (operator.resource.policies.length === 0) continue;
      const name = `${this.#name}-${kindName(operator, operators)}`;
      this.#add(kinds.policy, name, 'admission', { spec: policySpec(operator, controller) });
      const spec = { policyName: name, validationActions: ['Deny'] };
      this.#add(kinds.policyBinding, name, 'admission', { spec });
    }
  }

  #addMetrics(metrics: MetricsInstall): void {
    const name = metricsName(this.#name);
    const controlPlane = { 'control-plane': 'controller-manager' };
    this.#add(kinds.service, name, 'metrics', { spec: metricsServiceSpec(this.#name) }, controlPlane);
    if (metrics.serviceMonitor !== true) return;
    const spec = serviceMonitorSpec({ ...metrics, name: this.#name, service: `${name}.${this.#home}.svc` });
    this.#add(kinds.serviceMonitor, name, 'metrics', { spec }, controlPlane);
  }

  #add(
    resource: ApiResource,
    name: string,
    component: Component,
    body: Readonly<Record<string, unknown>> & { readonly metadata?: Pick<MetadataProps, 'annotations'> },
    labels: Readonly<Record<string, string>> = {},
    namespace: string = this.#home,
  ): void {
    const metadata = {
      ...body.metadata,
      name,
      ...(resource.namespaced ? { namespace } : {}),
      labels: { ...labelsOf(this.#name, component), ...labels },
    };
    const id = [resource.kind, ...(namespace === this.#home ? [] : [namespace]), name].join(':');
    new TypedObject<Manifest>(this, id, resource, { ...body, metadata });
  }
}
