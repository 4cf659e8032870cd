import { goEscaped } from '../../../kube/json-escapes.js';
import { goJson } from '../../../schema/go-format.js';
import { isSaidEmpty, withMoreOf } from '../../said-more.js';
import { goSelector } from '../problems.js';
import { internalStructs } from './internal-structs.js';

export type InternalType = keyof typeof internalStructs;

interface Field {
  /** Undefined for a struct whose fields are taken in. */
  readonly name?: string;
  readonly lowerCase: string;
  readonly type: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields that have another name inside than in the API, beside the case of letters. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ISCSIVolumeSource: { DiscoveryCHAPAuth: 'chapAuthDiscovery', SessionCHAPAuth: 'chapAuthSession' },
  AzureDiskVolumeSource: { DataDiskURI: 'diskURI' },
  GlusterfsVolumeSource: { EndpointsName: 'endpoints' },
  RBDVolumeSource: {
    CephMonitors: 'monitors',
    RBDImage: 'image',
    RBDPool: 'pool',
    RadosUser: 'user',
  },
};

/** What the API has beside the security context of a Pod, and the server inside it. */
const partsOfSecurityContext = ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace', 'hostUsers'] as const;

const parsed = new Map<string, readonly Field[]>();

function fieldsOf(type: string): readonly Field[] {
  let fields = parsed.get(type);
  if (fields === undefined) {
    fields = (internalStructs[type as InternalType] as string).split(', ').map((text) => {
      if (text.startsWith('...')) return { lowerCase: '', type: text.slice(3) };
      const space = text.indexOf(' ');
      const name = text.slice(0, space);
      return { name, lowerCase: name.toLowerCase(), type: text.slice(space + 1) };
    });
    parsed.set(type, fields);
  }
  return fields;
}

/** A value of the API as the server prints it in a message, on one line. */
export function internalJson(type: InternalType, value: object): string {
  return written(internalValue(type, value));
}

/** The same on many lines, one space deeper at each level. */
export function internalLines(type: InternalType, value: object): string {
  return goEscaped(JSON.stringify(internalValue(type, value), undefined, 1));
}

function internalValue(type: InternalType, value: object): object {
  return struct(type, value as Fields);
}

function struct(type: string, value: Fields): object {
  const result: Record<string, unknown> = {};
  fill(result, type, type === 'PodSpec' ? withSecurityContext(value) : value);
  return result;
}

function fill(result: Record<string, unknown>, type: string, value: Fields): void {
  if (type === 'ObjectMeta') {
    Object.assign(result, metadata((value.metadata ?? {}) as Fields));
    return;
  }
  const byLowerCase = new Map(Object.keys(value).map((key) => [key.toLowerCase(), key]));
  for (const field of fieldsOf(type)) {
    if (field.name === undefined) {
      fill(result, field.type, value);
      continue;
    }
    const name = renamed[type]?.[field.name] ?? byLowerCase.get(field.lowerCase) ?? '';
    const given = value[name] ?? saidEmpty(value, field);
    result[field.name] = convert(field.type, given);
  }
}

/** A list or map that is empty, and not absent, because the body says so. */
function saidEmpty(value: Fields, { name = '', type }: Field): readonly [] | object | undefined {
  if (!type.startsWith('[]') && !type.startsWith('map ')) return undefined;
  const inApi = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  if (!isSaidEmpty(value, inApi)) return undefined;
  return type.startsWith('[]') ? [] : {};
}

function convert(type: string, value: unknown): unknown {
  const isAbsent = value === undefined || value === null;
  if (type.startsWith('*')) return isAbsent ? null : convert(type.slice(1), value);
  if (type.startsWith('[]')) {
    return isAbsent ? null : (value as readonly unknown[]).map((item) => convert(type.slice(2), item));
  }
  if (type.startsWith('map ')) {
    if (isAbsent) return null;
    const map = value as Fields;
    return Object.fromEntries(
      Object.keys(map)
        .sort()
        .map((key) => [key, convert(type.slice(4), map[key])]),
    );
  }
  switch (type) {
    case 'string':
      return value ?? '';
    case 'int':
    case 'IntOrString':
      return value ?? 0;
    case 'bool':
      return value ?? false;
    case 'Quantity':
      return isAbsent ? '0' : String(value);
    case 'LabelSelector':
      return JSON.parse(goSelector(value as object)) as unknown;
    default:
      return struct(type, (value ?? {}) as Fields);
  }
}

/** Metadata has the names of the API inside too, and no field that is absent. */
function metadata(value: Fields): object {
  const order = ['name', 'generateName', 'namespace', 'labels', 'annotations', 'finalizers'];
  return Object.fromEntries(
    order.filter((key) => value[key] !== undefined).map((key) => [key, JSON.parse(goJson(value[key])) as unknown]),
  );
}

function withSecurityContext(spec: Fields): Fields {
  const given = (spec.securityContext ?? {}) as Fields;
  const context: Record<string, unknown> = withMoreOf({ ...given }, given);
  for (const field of partsOfSecurityContext) if (spec[field] !== undefined) context[field] = spec[field];
  return withMoreOf({ ...spec, securityContext: context }, spec);
}

function written(value: unknown): string {
  return goEscaped(JSON.stringify(value));
}
