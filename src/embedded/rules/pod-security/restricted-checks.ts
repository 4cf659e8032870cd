import type { Volume } from '../../../../imports/k8s.js';
import type { Unchecked } from '../unchecked.js';
import { badSeccompProfile, procMount } from './baseline-checks.js';
import {
  badContainers,
  type Check,
  type JudgedPod,
  quoted,
  setters,
  sortedOnce,
  unlessOwnUsers,
  unlessWindows,
  type Violation,
} from './check.js';

/** https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted, beside what the baseline asks for. */
export const restrictedChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    versions: [
      [8, privilegeEscalation],
      [25, unlessWindows(privilegeEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    insteadOf: 'capabilities_baseline',
    versions: [
      [22, keptCapabilities],
      [25, unlessWindows(keptCapabilities)],
    ],
  },
  { id: 'procMount_restricted', insteadOf: 'procMount', versions: [[35, procMount]] },
  { id: 'restrictedVolumes', insteadOf: 'hostPathVolumes', versions: [[0, volumeTypes]] },
  {
    id: 'runAsNonRoot',
    versions: [
      [0, runAsNonRoot],
      [35, unlessOwnUsers(runAsNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    versions: [
      [23, runAsUser],
      [35, unlessOwnUsers(runAsUser)],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    insteadOf: 'seccompProfile_baseline',
    versions: [
      [19, seccompProfile],
      [25, unlessWindows(seccompProfile)],
    ],
  },
];

function privilegeEscalation({ spec }: JudgedPod): Violation | undefined {
  const bad = badContainers(spec, (security) => security.allowPrivilegeEscalation !== false);
  if (bad === undefined) return undefined;
  const detail = `${bad} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
}

function keptCapabilities({ spec }: JudgedPod): Violation | undefined {
  const keeping = badContainers(spec, ({ capabilities }) => !capabilities?.drop?.includes('ALL'));
  const added: string[] = [];
  const adding = badContainers(spec, ({ capabilities }) => {
    const beyond = (capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE');
    added.push(...beyond);
    return beyond.length > 0;
  });
  const where = 'securityContext.capabilities';
  const details = [
    ...(keeping === undefined ? [] : [`${keeping} must set ${where}.drop=["ALL"]`]),
    ...(adding === undefined ? [] : [`${adding} must not include ${quoted(sortedOnce(added))} in ${where}.add`]),
  ];
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
}

const allowedSources = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const satisfies readonly (keyof Volume)[];

function volumeTypes({ spec }: JudgedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => allowedSources.every((source) => volume[source] === undefined));
  if (bad.length === 0) return undefined;
  const names = bad.map(({ name = '' }) => name);
  const types = sortedOnce(bad.map(typeOf));
  const [volumes, use] = names.length === 1 ? ['volume', 'uses'] : ['volumes', 'use'];
  const what = `restricted volume ${types.length === 1 ? 'type' : 'types'}`;
  return { reason: 'restricted volume types', detail: `${volumes} ${quoted(names)} ${use} ${what} ${quoted(types)}` };
}

function typeOf(volume: Unchecked<Volume>): string {
  return Object.keys(volume).find((field) => field !== 'name') ?? 'unknown';
}

function runAsNonRoot({ spec }: JudgedPod): Violation | undefined {
  const ofPod = spec.securityContext?.runAsNonRoot;
  const reason = 'runAsNonRoot != true';
  const by = setters(
    ofPod === false,
    badContainers(spec, (security) => security.runAsNonRoot === false),
  );
  if (by !== undefined) return { reason, detail: `${by} must not set securityContext.runAsNonRoot=false` };
  if (ofPod === true) return undefined;
  const silent = badContainers(spec, (security) => security.runAsNonRoot === undefined);
  return silent === undefined
    ? undefined
    : { reason, detail: `pod or ${silent} must set securityContext.runAsNonRoot=true` };
}

function runAsUser({ spec }: JudgedPod): Violation | undefined {
  const by = setters(
    spec.securityContext?.runAsUser === 0,
    badContainers(spec, (security) => security.runAsUser === 0),
  );
  return by === undefined ? undefined : { reason: 'runAsUser=0', detail: `${by} must not set runAsUser=0` };
}

function seccompProfile(pod: JudgedPod): Violation | undefined {
  const bad = badSeccompProfile(pod);
  if (bad !== undefined) return bad;
  const { spec } = pod;
  if (spec.securityContext?.seccompProfile !== undefined) return undefined;
  const silent = badContainers(spec, (security) => security.seccompProfile === undefined);
  if (silent === undefined) return undefined;
  const detail = `pod or ${silent} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
}
