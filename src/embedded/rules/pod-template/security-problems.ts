import type { AppArmorProfile, PodSpec, SeccompProfile, SecurityContext } from '../../../../imports/k8s.js';
import { betweenInclusive } from '../../../schema/name-formats.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { internalJson } from './internal-json.js';
import { relativePath } from './path-problems.js';
import { windowsOptionsProblems } from './windows-problems.js';

const highestId = 2 ** 31 - 1;
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const sysctl = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const sysctlPattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

/** https://kubernetes.io/docs/tasks/configure-pod-container/security-context/ of a container. */
export function containerSecurityProblems(
  found: Problems,
  path: string,
  context: Unchecked<SecurityContext>,
  hasHostUsers: boolean,
): void {
  id(found, `${path}.runAsUser`, context.runAsUser);
  id(found, `${path}.runAsGroup`, context.runAsGroup);
  const { procMount } = context;
  if (procMount !== undefined) {
    if (procMount !== 'Default' && procMount !== 'Unmasked') {
      found.notSupported(`${path}.procMount`, procMount, ['Default', 'Unmasked']);
    }
    if (hasHostUsers && procMount === 'Unmasked') {
      found.invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`');
    }
  }
  seccompProblems(found, `${path}.seccompProfile`, context.seccompProfile);
  if (context.allowPrivilegeEscalation === false) {
    const refuse = (what: string) => {
      const detail = `cannot set \`allowPrivilegeEscalation\` to false and ${what}`;
      found.invalidShown(path, internalJson('SecurityContext', context), detail);
    };
    if (context.privileged === true) refuse('`privileged` to true');
    for (const capability of context.capabilities?.add ?? []) {
      if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
    }
  }
  if (context.windowsOptions) windowsOptionsProblems(found, `${path}.windowsOptions`, context.windowsOptions);
  appArmorProblems(found, `${path}.appArmorProfile`, context.appArmorProfile);
}

/** The same of a whole Pod. */
export function podSecurityProblems(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  const context = spec.securityContext;
  if (context === undefined) return;
  id(found, `${path}.fsGroup`, context.fsGroup);
  id(found, `${path}.runAsUser`, context.runAsUser);
  id(found, `${path}.runAsGroup`, context.runAsGroup);
  context.supplementalGroups?.forEach((group, index) => {
    id(found, `${path}.supplementalGroups[${index}]`, group);
  });
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    found.invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  if (context.sysctls) sysctlProblems(found, `${path}.sysctls`, spec);
  oneOf(found, `${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, ['Always', 'OnRootMismatch']);
  seccompProblems(found, `${path}.seccompProfile`, context.seccompProfile);
  if (context.windowsOptions) windowsOptionsProblems(found, `${path}.windowsOptions`, context.windowsOptions);
  appArmorProblems(found, `${path}.appArmorProfile`, context.appArmorProfile);
  oneOf(found, `${path}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, ['Merge', 'Strict']);
  // The other policy is behind a gate that is closed by default.
  oneOf(found, `${path}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ['Recursive']);
}

export function appArmorProblems(found: Problems, path: string, profile: Unchecked<AppArmorProfile> | undefined): void {
  if (profile === undefined) return;
  const { type = '', localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (type === 'Localhost') {
    const needed = 'must be set when AppArmor type is Localhost';
    if (localhostProfile === undefined) {
      found.required(at, needed);
      return;
    }
    const trimmed = localhostProfile.trim();
    if (trimmed !== localhostProfile) found.invalid(at, localhostProfile, 'must not be padded with whitespace');
    else if (trimmed === '') found.required(at, needed);
    if (Buffer.byteLength(localhostProfile) > 4095) found.tooLong(at, 4095);
  } else if (type === 'RuntimeDefault' || type === 'Unconfined') {
    if (localhostProfile !== undefined) {
      found.invalid(at, localhostProfile, 'can only be set when AppArmor type is Localhost');
    }
  } else if (type === '') found.required(`${path}.type`, 'type is required when appArmorProfile is set');
  else found.notSupported(`${path}.type`, type, profileTypes);
}

function seccompProblems(found: Problems, path: string, profile: Unchecked<SeccompProfile> | undefined): void {
  if (profile === undefined) return;
  const { type = '', localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (type === '') found.required(`${path}.type`, 'type is required when seccompProfile is set');
  else if (!profileTypes.includes(type)) found.notSupported(`${path}.type`, type, profileTypes);
  if (type === 'Localhost') {
    if (localhostProfile === undefined) found.required(at, 'must be set when seccomp type is Localhost');
    else relativePath(found, at, localhostProfile);
  } else if (localhostProfile !== undefined) {
    found.invalidShown(at, internalJson('SeccompProfile', profile), 'can only be set when seccomp type is Localhost');
  }
}

function sysctlProblems(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  const names = new Set<string>();
  spec.securityContext?.sysctls?.forEach(({ name = '' }, index) => {
    const at = `${path}[${index}].name`;
    if (name === '') found.required(at);
    else if (name.length > 253 || !sysctl.test(name)) {
      found.invalid(at, name, `must have at most 253 characters and match regex ${sysctlPattern}`);
    } else if (names.has(name)) found.duplicate(at, name);
    names.add(name);
    const dotted = name.replaceAll('/', '.');
    if (spec.hostNetwork === true && dotted.startsWith('net.')) {
      found.invalid(at, name, "may not be specified when 'hostNetwork' is true");
    } else if (spec.hostIPC === true && isOfIpc(dotted)) {
      found.invalid(at, name, "may not be specified when 'hostIPC' is true");
    }
  });
}

/** https://man7.org/linux/man-pages/man7/ipc_namespaces.7.html */
function isOfIpc(name: string): boolean {
  return name === 'kernel.sem' || /^(?:kernel\.shm|kernel\.msg|fs\.mqueue\.)/.test(name);
}

function id(found: Problems, path: string, value: number | undefined): void {
  if (value === undefined || (value >= 0 && value <= highestId)) return;
  found.invalid(path, value, betweenInclusive(0, highestId));
}

function oneOf(found: Problems, path: string, value: string | undefined, supported: readonly string[]): void {
  if (value !== undefined && !supported.includes(value)) found.notSupported(path, value, supported);
}
