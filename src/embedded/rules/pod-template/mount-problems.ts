import type { Container, VolumeMount } from '../../../../imports/k8s.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';
import { relativePath } from './path-problems.js';
import type { GoodVolumes } from './volume-problems.js';

/** https://kubernetes.io/docs/concepts/storage/volumes/ as a container mounts them. */
export function mountProblems(
  found: Problems,
  path: string,
  container: Unchecked<Container>,
  volumes: GoodVolumes,
): void {
  const { volumeMounts = [], volumeDevices = [] } = container;
  if (volumeMounts.length > 0) {
    const devices = new Map(volumeDevices.map((each) => [each.name ?? '', each.devicePath ?? '']));
    const seen = new Set<string>();
    volumeMounts.forEach((mount, index) => {
      oneMount(found, `${path}.volumeMounts`, index, mount, { container, volumes, devices, seen });
    });
  }
  if (volumeDevices.length > 0) deviceProblems(found, `${path}.volumeDevices`, container, volumes);
}

interface Around {
  readonly container: Unchecked<Container>;
  readonly volumes: GoodVolumes;
  readonly devices: ReadonlyMap<string, string>;
  readonly seen: Set<string>;
}

function oneMount(
  found: Problems,
  path: string,
  index: number,
  mount: Unchecked<VolumeMount>,
  { container, volumes, devices, seen }: Around,
): void {
  const at = `${path}[${index}]`;
  const { name = '', mountPath = '', subPath = '', subPathExpr = '', mountPropagation } = mount;
  if (name === '') found.required(`${at}.name`);
  if (!volumes.has(name)) found.notFound(`${at}.name`, name);
  if (mountPath === '') found.required(`${at}.mountPath`);
  if (seen.has(mountPath)) found.invalid(`${at}.mountPath`, mountPath, 'must be unique');
  seen.add(mountPath);
  if (devices.has(name)) found.invalid(`${at}.name`, name, 'must not already exist in volumeDevices');
  if ([...devices.values()].includes(mountPath)) {
    found.invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices');
  }
  // From here on the server leaves the index out.
  if (subPath !== '') relativePath(found, `${path}.subPath`, subPath);
  if (subPathExpr !== '') {
    if (subPath !== '') {
      found.invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive');
    }
    relativePath(found, `${path}.subPathExpr`, subPathExpr);
  }
  if (mountPropagation !== undefined) {
    const supported = ['Bidirectional', 'HostToContainer', 'None'];
    if (!supported.includes(mountPropagation)) {
      found.notSupported(`${path}.mountPropagation`, mountPropagation, supported);
    }
    if (mountPropagation === 'Bidirectional' && container.securityContext?.privileged !== true) {
      const detail = 'Bidirectional mount propagation is available only to privileged containers';
      found.forbidden(`${path}.mountPropagation`, detail);
    }
  }
  recursiveReadOnly(found, `${path}.recursiveReadOnly`, mount);
}

function recursiveReadOnly(found: Problems, path: string, mount: Unchecked<VolumeMount>): void {
  const { recursiveReadOnly: mode, mountPropagation, readOnly } = mount;
  if (mode === undefined || mode === 'Disabled') return;
  if (mode !== 'Enabled' && mode !== 'IfPossible') {
    found.notSupported(path, mode, ['Disabled', 'Enabled', 'IfPossible']);
    return;
  }
  if (readOnly !== true) found.forbidden(path, 'may only be specified when readOnly is true');
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    found.forbidden(path, 'may only be specified when mountPropagation is None or not specified');
  }
}

function deviceProblems(found: Problems, path: string, container: Unchecked<Container>, volumes: GoodVolumes): void {
  const mounts = new Map((container.volumeMounts ?? []).map((each) => [each.name ?? '', each.mountPath ?? '']));
  const paths = new Set<string>();
  const names = new Set<string>();
  container.volumeDevices?.forEach(({ name = '', devicePath = '' }, index) => {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    const isClaim = volume?.persistentVolumeClaim !== undefined || volume?.ephemeral !== undefined;
    if (name === '') found.required(`${at}.name`);
    if (names.has(name)) found.invalid(`${at}.name`, name, 'must be unique');
    if (volume !== undefined && !isClaim) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      found.invalid(`${at}.name`, name, detail);
    }
    if (volume === undefined) found.notFound(`${at}.name`, name);
    if (devicePath === '') found.required(`${at}.devicePath`);
    if (paths.has(devicePath)) found.invalid(`${at}.devicePath`, devicePath, 'must be unique');

    if (devicePath.split('/').includes('..')) {
      found.invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')");
    } else {
      paths.add(devicePath);
    }
    if (mounts.has(name)) found.invalid(`${at}.name`, name, 'must not already exist in volumeMounts');
    if ([...mounts.values()].includes(devicePath)) {
      found.invalid(`${at}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  });
}
