// Longer than most files: one standard, rule by rule, in one table.

import type { PodSpec, SELinuxOptions } from '../../../../imports/k8s.js';
import type { Unchecked } from '../unchecked.js';
import {
  badContainers,
  type Check,
  containersOf,
  type Judge,
  type JudgedContainer,
  type JudgedPod,
  quoted,
  setters,
  shownAnnotation,
  sortedOnce,
  unlessOwnUsers,
  type Violation,
} from './check.js';

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/';
const seccompOfPod = 'seccomp.security.alpha.kubernetes.io/pod';
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/';
const isProfileType = (type = '') => type === 'RuntimeDefault' || type === 'Localhost';

const capabilities = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);
const seLinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];
const firstSysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const sysctlsOf27 = [...firstSysctls, 'net.ipv4.ip_local_reserved_ports'];
const sysctlsOf29 = [
  ...sysctlsOf27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const sysctlsOf32 = [...sysctlsOf29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];

/** https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline */
export const baselineChecks: readonly Check[] = [
  { id: 'appArmorProfile', versions: [[0, appArmorProfile]] },
  { id: 'capabilities_baseline', versions: [[0, addedCapabilities]] },
  { id: 'hostNamespaces', versions: [[0, hostNamespaces]] },
  { id: 'hostPathVolumes', versions: [[0, hostPathVolumes]] },
  { id: 'hostPorts', versions: [[0, hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', versions: [[34, handlerHosts]] },
  { id: 'privileged', versions: [[0, privileged]] },
  {
    id: 'procMount',
    versions: [
      [0, procMount],
      [35, unlessOwnUsers(procMount)],
    ],
  },
  {
    id: 'seLinuxOptions',
    versions: [
      [0, seLinuxOptions(seLinuxTypes)],
      [31, seLinuxOptions([...seLinuxTypes, 'container_engine_t'])],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    versions: [
      [0, seccompAnnotations],
      [19, badSeccompProfile],
    ],
  },
  {
    id: 'sysctls',
    versions: [
      [0, sysctls(firstSysctls)],
      [27, sysctls(sysctlsOf27)],
      [29, sysctls(sysctlsOf29)],
      [32, sysctls(sysctlsOf32)],
    ],
  },
  { id: 'windowsHostProcess', versions: [[0, hostProcess]] },
];

function appArmorProfile({ annotations, spec }: JudgedPod): Violation | undefined {
  const ofPod = spec.securityContext?.appArmorProfile;
  const isPodBad = ofPod !== undefined && !isProfileType(ofPod.type);
  const values: string[] = isPodBad ? [ofPod.type ?? ''] : [];
  const containers = badContainers(spec, ({ appArmorProfile: profile }) => {
    if (profile === undefined || isProfileType(profile.type)) return false;
    values.push(profile.type ?? '');
    return true;
  });
  const isBadValue = (value: string) => !/^$|^runtime\/default$|^localhost\//.test(value);
  const notes = Object.entries(annotations)
    .filter(([name, value]) => name.startsWith(appArmorPrefix) && isBadValue(value))
    .map(([name, value]) => shownAnnotation(name, value))
    .sort();
  const ofFields = setters(isPodBad, containers);
  const ofNotes = notes.length === 0 ? [] : [notes.length === 1 ? 'annotation' : 'annotations'];
  const by = [...(ofFields === undefined ? [] : [ofFields]), ...ofNotes];
  if (by.length === 0) return undefined;
  const all = [...sortedOnce(values), ...notes];
  return {
    reason: `forbidden AppArmor ${all.length === 1 ? 'profile' : 'profiles'}`,
    detail: `${by.join(' and ')} must not set AppArmor profile type to ${quoted(all)}`,
  };
}

function addedCapabilities({ spec }: JudgedPod): Violation | undefined {
  const added: string[] = [];
  const bad = badContainers(spec, (security) => {
    const beyond = (security.capabilities?.add ?? []).filter((name) => !capabilities.has(name));
    added.push(...beyond);
    return beyond.length > 0;
  });
  if (bad === undefined) return undefined;
  const detail = `${bad} must not include ${quoted(sortedOnce(added))} in securityContext.capabilities.add`;
  return { reason: 'non-default capabilities', detail };
}

function hostNamespaces({ spec }: JudgedPod): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
}

function hostPathVolumes({ spec }: JudgedPod): Violation | undefined {
  const names = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined).map(({ name = '' }) => name);
  if (names.length === 0) return undefined;
  return { reason: 'hostPath volumes', detail: `${names.length === 1 ? 'volume' : 'volumes'} ${quoted(names)}` };
}

function hostPorts({ spec }: JudgedPod): Violation | undefined {
  const found: string[] = [];
  const bad = badContainers(spec, (_, { ports }) => {
    const own = (ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
    found.push(...own);
    return own.length > 0;
  });
  if (bad === undefined) return undefined;
  const ports = sortedOnce(found);
  return {
    reason: 'hostPort',
    detail: `${bad} ${verbFor(bad)} ${ports.length === 1 ? 'hostPort' : 'hostPorts'} ${ports.join(', ')}`,
  };
}

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/: a host other than that of the Pod. */
function handlerHosts({ spec }: JudgedPod): Violation | undefined {
  const found = containersOf(spec).map((each) => ({ name: each.name ?? '', hosts: hostsOf(each) }));
  const bad = found.filter(({ hosts }) => hosts.length > 0);
  if (bad.length === 0) return undefined;
  const names = sortedOnce(bad.map(({ name }) => name));
  const hosts = sortedOnce(bad.flatMap((each) => each.hosts));
  const [containers, use] = names.length === 1 ? ['container', 'uses'] : ['containers', 'use'];
  const reason = 'probe or lifecycle host';
  const what = hosts.length === 1 ? reason : `${reason}s`;
  return { reason, detail: `${containers} ${quoted(names)} ${use} ${what} ${quoted(hosts)}` };
}

function hostsOf({ livenessProbe, readinessProbe, startupProbe, lifecycle }: JudgedContainer): string[] {
  return [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop]
    .flatMap((handler) => [handler?.httpGet?.host, handler?.tcpSocket?.host])
    .flatMap((host) => host || []);
}

function privileged({ spec }: JudgedPod): Violation | undefined {
  const bad = badContainers(spec, (security) => security.privileged === true);
  if (bad === undefined) return undefined;
  return { reason: 'privileged', detail: `${bad} must not set securityContext.privileged=true` };
}

export function procMount({ spec }: JudgedPod): Violation | undefined {
  const types: string[] = [];
  const bad = badContainers(spec, ({ procMount: type }) => {
    if (type === undefined || type === 'Default') return false;
    types.push(type);
    return true;
  });
  if (bad === undefined) return undefined;
  return {
    reason: 'procMount',
    detail: `${bad} must not set securityContext.procMount to ${quoted(sortedOnce(types))}`,
  };
}

function seLinuxOptions(allowed: readonly string[]): Judge {
  return ({ spec }) => {
    const seen: Unchecked<SELinuxOptions>[] = [];
    const isBad = (options: Unchecked<SELinuxOptions> | undefined) => {
      if (options === undefined || (allowed.includes(options.type ?? '') && !options.user && !options.role))
        return false;
      seen.push(options);
      return true;
    };
    const isPodBad = isBad(spec.securityContext?.seLinuxOptions);
    const by = setters(
      isPodBad,
      badContainers(spec, (security) => isBad(security.seLinuxOptions)),
    );
    if (by === undefined) return undefined;
    const types = sortedOnce(seen.map(({ type = '' }) => type).filter((type) => !allowed.includes(type)));
    const data = [
      ...(types.length === 0 ? [] : [`${types.length === 1 ? 'type' : 'types'} ${quoted(types)}`]),
      ...(seen.some(({ user }) => user) ? ['user may not be set'] : []),
      ...(seen.some(({ role }) => role) ? ['role may not be set'] : []),
    ];
    return {
      reason: 'seLinuxOptions',
      detail: `${by} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
    };
  };
}

function seccompAnnotations({ annotations, spec }: JudgedPod): Violation | undefined {
  const names = [seccompOfPod, ...containersOf(spec).map(({ name = '' }) => seccompPrefix + name)];
  const bad = names.flatMap((name) => {
    const value = annotations[name];
    return value === undefined || /^(runtime|docker)\/default$|^localhost\//.test(value)
      ? []
      : [shownAnnotation(name, value)];
  });
  if (bad.length === 0) return undefined;
  const shown = sortedOnce(bad);
  const what = shown.length === 1 ? 'annotation' : 'annotations';
  return { reason: 'seccompProfile', detail: `forbidden ${what} ${shown.join(', ')}` };
}

/** A profile that is named, and not one of those that confine. */
export function badSeccompProfile({ spec }: JudgedPod): Violation | undefined {
  const types: string[] = [];
  const isBad = (profile: Unchecked<{ readonly type: string }> | undefined) => {
    if (profile === undefined || isProfileType(profile.type)) return false;
    types.push(profile.type ?? '');
    return true;
  };
  const isPodBad = isBad(spec.securityContext?.seccompProfile);
  const by = setters(
    isPodBad,
    badContainers(spec, (security) => isBad(security.seccompProfile)),
  );
  if (by === undefined) return undefined;
  const detail = `${by} must not set securityContext.seccompProfile.type to ${quoted(sortedOnce(types))}`;
  return { reason: 'seccompProfile', detail };
}

function sysctls(allowed: readonly string[]): Judge {
  return ({ spec }: { readonly spec: Unchecked<PodSpec> }) => {
    const bad = (spec.securityContext?.sysctls ?? []).map(({ name = '' }) => name).filter((n) => !allowed.includes(n));
    return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
  };
}

function hostProcess({ spec }: JudgedPod): Violation | undefined {
  const by = setters(
    spec.securityContext?.windowsOptions?.hostProcess === true,
    badContainers(spec, (security) => security.windowsOptions?.hostProcess === true),
  );
  if (by === undefined) return undefined;
  return { reason: 'hostProcess', detail: `${by} must not set securityContext.windowsOptions.hostProcess=true` };
}

function verbFor(containers: string): string {
  return containers.startsWith('containers') ? 'use' : 'uses';
}
