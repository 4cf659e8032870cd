import type { Json } from '../../kube/manifest.js';
import { type FieldProblem, problem } from '../../schema/field-problem.js';
import { badRequest } from '../status-error.js';
import { goHead } from '../verbs/body-head.js';
import type { Deletion } from '../verbs/delete.js';
import { invalidOptions, unknownFormat } from './http-status.js';
import { JsonError, readJson } from './json-text.js';
import { decodeObject } from './protobuf/decode-message.js';
import { WireError } from './protobuf/wire.js';
import { given, type Query } from './query.js';
import { mediaTypeOf, mistyped, protobuf } from './request-body.js';
import { dryRunProblems } from './write-options.js';
import { readYaml, YamlError } from './yaml-text.js';

type Fields = { readonly [field: string]: Json };

interface Said {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly dryRun: readonly string[];
  readonly uid?: string;
  readonly resourceVersion?: string;
}

const policies = ['Foreground', 'Background', 'Orphan'] as const;

/** The options of a deletion: those of the body when there is one, else those of the query, as the server has it. */
export function deleteOptionsOf(body: Buffer, contentType: string | undefined, query: Query): Deletion {
  const said = body.length === 0 ? fromQuery(query) : fromBody(decoded(body, contentType));
  const { propagationPolicy, orphanDependents, dryRun } = said;
  const problems: FieldProblem[] = [];
  const refuse = (reason: 'FieldValueInvalid' | 'FieldValueNotSupported', detail: string) =>
    problems.push(problem(reason, 'propagationPolicy', propagationPolicy, detail));
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    refuse('FieldValueInvalid', 'orphanDependents and deletionPropagation cannot be both set');
  }
  const policy = policies.find((each) => each === propagationPolicy);
  if (propagationPolicy !== undefined && policy === undefined) {
    refuse('FieldValueNotSupported', 'supported values: "Foreground", "Background", "Orphan", "nil"');
  }
  problems.push(...dryRunProblems(dryRun));
  if (problems.length > 0) throw invalidOptions('DeleteOptions', problems);

  const older = orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background';
  return {
    ...given('propagationPolicy', policy ?? older),
    ...given('gracePeriodSeconds', said.gracePeriodSeconds),
    ...given('uid', said.uid),
    ...given('resourceVersion', said.resourceVersion),
    ...(dryRun.length > 0 ? { dryRun: true } : {}),
    ...(orphanDependents === false ? { isOldCascade: true } : {}),
  };
}

function fromQuery(query: Query): Said {
  return {
    ...given('gracePeriodSeconds', query.integer('gracePeriodSeconds')),
    ...given('propagationPolicy', query.text('propagationPolicy')),
    ...given('orphanDependents', query.flag('orphanDependents')),
    dryRun: query.all('dryRun'),
    ...given('uid', query.text('uid') || undefined),
    ...given('resourceVersion', query.text('resourceVersion') || undefined),
  };
}

function decoded(bytes: Buffer, contentType: string | undefined): Json {
  const type = mediaTypeOf(contentType) || 'application/json';
  try {
    if (type === protobuf) return decodeObject(bytes);
    if (type !== 'application/json' && type !== 'application/yaml') throw unknownFormat();
    const body = bytes.toString();
    return type === 'application/json' ? readJson(body).value : readYaml(body).value;
  } catch (error) {
    if (error instanceof JsonError) throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
    if (error instanceof YamlError || error instanceof WireError) throw badRequest(error.message);
    throw error;
  }
}

function fromBody(body: Json): Said {
  if (typeof body !== 'object' || Array.isArray(body)) {
    throw badRequest(`couldn't get version/kind; json parse error: ${mistyped(body, goHead)}`);
  }
  const fields = (body ?? {}) as Fields;
  const { kind, apiVersion } = fields;
  if (kind !== undefined && kind !== 'DeleteOptions') {
    const version = JSON.stringify(apiVersion ?? '');
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for version ${version} in scheme`);
  }
  taken(fields, 'ignoreStoreReadErrorWithClusterBreakingPotential', 'bool', 'bool');
  const preconditions = (taken(fields, 'preconditions', 'object', 'v1.Preconditions') ?? {}) as Fields;
  const dryRun = taken(fields, 'dryRun', 'array', '[]string') as Json[] | undefined;
  return {
    ...given('gracePeriodSeconds', wholeNumber(fields, 'gracePeriodSeconds')),
    ...given('propagationPolicy', taken(fields, 'propagationPolicy', 'string', 'v1.DeletionPropagation') as string),
    ...given('orphanDependents', taken(fields, 'orphanDependents', 'bool', 'bool') as boolean | undefined),
    // Go has the empty text for a null in a list of texts.
    dryRun: (dryRun ?? []).map((each) => String(each ?? '')),
    ...given('uid', precondition(preconditions, 'uid', 'types.UID')),
    ...given('resourceVersion', precondition(preconditions, 'resourceVersion', 'string')),
  };
}

function wholeNumber(fields: Fields, name: string): number | undefined {
  const value = taken(fields, name, 'number', 'int64') as number | undefined;
  if (value === undefined || Number.isInteger(value)) return value;
  throw badRequest(`json: cannot unmarshal number ${value} into Go struct field DeleteOptions.${name} of type int64`);
}

function precondition(fields: Fields, name: string, type: string): string | undefined {
  return taken(fields, name, 'string', type, 'Preconditions.preconditions') as string | undefined;
}

function taken(fields: Fields, name: string, kind: string, type: string, owner = 'DeleteOptions'): Json | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (kindOf(value) === kind) return value;
  throw badRequest(`json: cannot unmarshal ${kindOf(value)} into Go struct field ${owner}.${name} of type ${type}`);
}

function kindOf(value: Json): string {
  return Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
}
