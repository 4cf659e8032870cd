import { App } from 'cdk8s';
import type { Operator } from '../../compose/operator.js';
import { OperatorInstall } from '../../install/operator-install.js';
import { defaultRoom, ownVariables } from '../../install/workload.js';
import type { Manifest } from '../../kube/manifest.js';
import type { Install } from './messages.js';

const name = 'kilter-dev';
const ofEachPod = ownVariables(name, defaultRoom).map((each) => each.name);
/** What a controller outside the cluster has no use for, and what asks or binds where this API server asks nobody. */
const left = [
  'Deployment',
  'NetworkPolicy',
  'MutatingWebhookConfiguration',
  'ValidatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
];

/**
 * What `operators` need in a cluster, as it is rendered for one: their definitions, and an account with exactly the rights
 * that the controller uses, so that a right that is missing is missed here.
 */
export function installOf(operators: readonly Operator[]): Install {
  // Settings are those of the process that `kilter dev` starts, whose environment is that of whoever called it.
  const settings = operators.flatMap((each) => Object.keys(each.settings)).filter((each) => !ofEachPod.includes(each));
  // As from a Secret, of what is in which nobody can say that it will not do.
  const env = Object.fromEntries(settings.map((each) => [each, { secret: name, key: 'setting' }]));
  const install = new OperatorInstall(new App(), name, { operators, image: `${name}:0`, env });
  const manifests = (install.toJson() as Manifest[]).filter(({ kind }) => !left.includes(kind));
  return { manifests: manifests.map(unconverted), account: { namespace: `${name}-system`, name } };
}

interface DefinitionSpec {
  readonly conversion?: unknown;
  readonly versions: readonly { readonly storage: boolean }[];
}

/** Nobody converts here, so that of several versions only the stored one is served. */
function unconverted(manifest: Manifest): Manifest {
  if (manifest.kind !== 'CustomResourceDefinition') return manifest;
  const { conversion, ...spec } = manifest['spec'] as DefinitionSpec;
  if (conversion === undefined) return manifest;
  const versions = spec.versions.map((version) => ({ ...version, served: version.storage }));
  return { ...manifest, spec: { ...spec, versions } };
}
