import { dns1035Syntax, isDns1123Label, isDns1123Subdomain, labelSyntax } from '../kube/dns-names.js';
import { DefinitionError } from '../kube/errors.js';
import { certificatesOf, homeOf, type OperatorInstallProps } from './install-props.js';
import { metricsName } from './metrics.js';
import { hasWebhooks, webhookName } from './webhooks.js';

/** https://kubernetes.io/docs/reference/access-authn-authz/rbac/#user-facing-roles */
const rolesOfKubernetes = ['cluster-admin', 'admin', 'edit', 'view'];
const namespacesOfKubernetes = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
const longest = 63;

/** Throws `DefinitionError` for names by which an install cannot work, or takes the place of what is not its own. */
export function refuseNames(id: string, props: OperatorInstallProps): void {
  const { namespace, createNamespace, watchNamespaces = [], metrics, operators } = props;
  if (rolesOfKubernetes.includes(id) || id.startsWith('system:')) {
    throw new DefinitionError(`the install "${id}" would be rendered over the ClusterRole "${id}" of Kubernetes`, {
      hint: `give it another id, such as "${id.replace('system:', '')}-operator"`,
    });
  }
  const hasService = metrics !== false || hasWebhooks(operators);
  if (!(hasService ? dns1035Syntax : labelSyntax).test(id)) {
    const what = hasService ? 'name that a Service can have' : 'label of DNS';
    throw new DefinitionError(`the install "${id}" cannot be applied: its id is no ${what}`, {
      hint: `write lower-case letters, digits and dashes${hasService ? ', and a letter first' : ''}`,
    });
  }
  const home = homeOf(id, props);
  const derived = [
    ...(namespace === undefined ? [home] : []),
    ...(metrics === false ? [] : [metricsName(id)]),
    ...(hasWebhooks(operators) ? [webhookName(id)] : []),
    id,
  ];
  const tooLong = derived.reduce((one, other) => (other.length > one.length ? other : one));
  if (tooLong.length > longest) {
    throw new DefinitionError(
      `the install "${id}" cannot be applied: its id gives the name "${tooLong}" of ${tooLong.length} characters`,
      {
        hint: `give it an id of at most ${longest - (tooLong.length - id.length)} characters: a name may have ${longest}`,
      },
    );
  }
  const named = [...(namespace === undefined ? [] : [namespace]), ...watchNamespaces];
  const wrong = named.find((name) => !isDns1123Label(name));
  if (wrong !== undefined) {
    throw new DefinitionError(`the install "${id}" cannot be applied: "${wrong}" is no name of a namespace`, {
      hint: `write at most ${longest} lower-case letters, digits and dashes`,
    });
  }
  const unnamed = certificatesOf(props).find(({ secret }) => !isDns1123Subdomain(secret));
  if (unnamed) {
    throw new DefinitionError(`the install "${id}" cannot be applied: "${unnamed.secret}" is no name of a Secret`, {
      hint: 'write in certificateSecret how the Secret is called, in lower-case letters, digits, dashes and dots',
    });
  }
  if (createNamespace !== false && namespacesOfKubernetes.includes(home)) {
    throw new DefinitionError(`the install "${id}" would be rendered over the namespace "${home}" of Kubernetes`, {
      hint: 'say createNamespace: false, or give it a namespace of its own: who deletes an install deletes what it renders',
    });
  }
  const twice = watchNamespaces.find((name, index) => watchNamespaces.indexOf(name) !== index);
  if (twice !== undefined) {
    throw new DefinitionError(`the install "${id}" has the namespace "${twice}" twice in watchNamespaces`, {
      hint: 'name it once',
    });
  }
}
