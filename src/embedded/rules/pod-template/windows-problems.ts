import type { Container, PodSpec, WindowsSecurityContextOptions } from '../../../../imports/k8s.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { eachContainer } from './each-container.js';

const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const dnsLabel = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const dns = new RegExp(`^${dnsLabel}(?:\\.${dnsLabel})*$`);

/** https://kubernetes.io/docs/concepts/windows/intro/#compatibility-v1-pod-spec-containers-securitycontext */
export function windowsOptionsProblems(
  found: Problems,
  path: string,
  options: Unchecked<WindowsSecurityContextOptions>,
): void {
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (specName !== undefined) found.subdomain(`${path}.gmsaCredentialSpecName`, specName);
  if (spec === '') found.invalid(`${path}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string');
  else if (spec !== undefined && Buffer.byteLength(spec) > 64 * 1024) {
    found.invalid(`${path}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec size must be under 64 KiB');
  }
  if (user === undefined) return;
  for (const message of userProblems(user)) {
    found.invalid(`${path}.runAsUserName`, user, `runAsUserName${message}`);
  }
}

function userProblems(name: string): readonly string[] {
  if (name === '') return [' cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return [' cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return [' cannot contain more than one backslash'];
  const [domain, user] = parts.length === 2 ? (parts as [string, string]) : [undefined, name];
  const problems: string[] = [];
  if (domain !== undefined && domain.length >= 256) problems.push("'s Domain length must be under 256 characters");
  if (domain !== undefined && !netBios.test(domain) && !dns.test(domain)) {
    problems.push("'s Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') problems.push("'s User cannot be empty");
  else if (user.length > 104) problems.push("'s User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) problems.push("'s User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push('\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  return problems;
}

/** A Pod runs on the host with all of its containers, or with none. */
export function hostProcessProblems(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let containers = 0;
  let onHost = 0;
  eachContainer(spec, path, (container, at) => {
    containers++;
    const own = container.securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      found.invalid(`${at}.securityContext.windowsOptions.hostProcess`, own, detail);
    }
    if (own ?? ofPod) onHost++;
  });
  if (onHost === 0) return;
  if (onHost !== containers) {
    const detail = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    found.invalid(path, '', detail);
  }
  if (spec.hostNetwork !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers';
    found.invalid(`${path}.hostNetwork`, false, detail);
  }
}

/** What the other operating system does not know. */
export function operatingSystemProblems(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  if (spec.os === undefined) return;
  const { name = '' } = spec.os;
  if (name === '') found.required(`${path}.os.name`);
  else if (name === 'linux') linuxProblems(found, path, spec);
  else if (name === 'windows') windowsProblems(found, path, spec);
  else found.notSupported(`${path}.os`, name, ['linux', 'windows']);
}

function linuxProblems(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  const detail = 'windows options cannot be set for a linux pod';
  if (spec.securityContext?.windowsOptions) found.forbidden(`${path}.securityContext.windowsOptions`, detail);
  eachContainer(spec, path, (container, at) => {
    if (container.securityContext?.windowsOptions) found.forbidden(`${at}.securityContext.windowsOptions`, detail);
  });
}

const notOnWindows = {
  pod: ['appArmorProfile', 'seLinuxOptions', '/hostUsers', '/hostPID', '/hostIPC', 'seccompProfile', 'fsGroup'].concat(
    ['fsGroupChangePolicy', 'sysctls', '/shareProcessNamespace', 'runAsUser', 'runAsGroup', 'supplementalGroups'],
    ['supplementalGroupsPolicy', 'seLinuxChangePolicy'],
  ),
  container: ['appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem'].concat([
    'privileged',
    'allowPrivilegeEscalation',
    'procMount',
    'runAsUser',
    'runAsGroup',
  ]),
};

function windowsProblems(found: Problems, path: string, spec: Unchecked<PodSpec>): void {
  const detail = 'cannot be set for a windows pod';
  const context = (spec.securityContext ?? {}) as Record<string, unknown>;
  for (const field of notOnWindows.pod) {
    const isOfSpec = field.startsWith('/');
    const value = isOfSpec ? spec[field.slice(1) as keyof PodSpec] : context[field];
    const isSet = value !== undefined && !(value === false && /^\/host(?:PID|IPC)$/.test(field));
    if (isSet) found.forbidden(isOfSpec ? `${path}.${field.slice(1)}` : `${path}.securityContext.${field}`, detail);
  }
  eachContainer(spec, path, ({ securityContext }: Unchecked<Container>, at) => {
    for (const field of notOnWindows.container) {
      if ((securityContext as Record<string, unknown> | undefined)?.[field] !== undefined) {
        found.forbidden(`${at}.securityContext.${field}`, detail);
      }
    }
  });
}
