import { DefinitionError } from '../kube/errors.js';
import { flag, map, mapOfTexts, objects, refuseMisshapen, type Shape, text, texts } from '../kube/refuse-misshapen.js';
import { refuseUnknownOptions } from '../kube/unknown-options.js';
import { type AnySchema, isSchema } from '../schema/schema.js';
import type { Admission, AdmissionPolicy } from './admission.js';
import type { CustomResourceInput } from './custom-resource.js';
import type { OtherVersion } from './other-version.js';
import type { Scale } from './scale.js';

type Options = keyof CustomResourceInput<AnySchema, AnySchema, Readonly<Record<string, AnySchema>>>;

const known: Readonly<Record<Options, true>> = {
  group: true,
  version: true,
  kind: true,
  plural: true,
  singular: true,
  shortNames: true,
  categories: true,
  description: true,
  namespaced: true,
  spec: true,
  status: true,
  columns: true,
  scale: true,
  versions: true,
  admission: true,
  policies: true,
};

const shapes: Readonly<Partial<Record<Options, Shape>>> = {
  group: text,
  version: text,
  kind: text,
  plural: text,
  singular: text,
  shortNames: texts,
  categories: texts,
  description: text,
  namespaced: flag,
  columns: mapOfTexts,
  scale: map,
  versions: map,
  admission: map,
  policies: objects,
};

const flagOrText: Shape = {
  words: 'true, false or a text',
  example: 'true',
  fits: (value) => flag.fits(value) || text.fits(value),
};

const knownOfVersion: Readonly<Record<keyof OtherVersion, true>> = {
  spec: true,
  upgrade: true,
  downgrade: true,
  served: true,
  deprecated: true,
  columns: true,
  scale: true,
};

const shapesOfVersion: Readonly<Partial<Record<keyof OtherVersion, Shape>>> = {
  served: flag,
  deprecated: flagOrText,
  columns: mapOfTexts,
  scale: map,
};

const shapesOfScale: Readonly<Record<keyof Scale, Shape>> = { replicas: text, statusReplicas: text, selector: text };

const shapesOfPolicy: Readonly<Record<keyof AdmissionPolicy, Shape>> = { expression: text, message: text };

const knownOfAdmission: Readonly<Record<keyof Admission<never, never>, true>> = { mutate: true, validate: true };

type Given = Readonly<Record<string, unknown>>;

/**
 * Throws `DefinitionError` for what the compiler says of the description of a kind. Bundlers, `kilter dev` and most test runners
 * do not ask it; and a misspelt `policies` or `validate` must not hold nobody to anything.
 */
export function refuseUntypedKind(input: unknown): void {
  const options = (input ?? {}) as Given;
  const subject = `${typeof options['kind'] === 'string' ? options['kind'] : 'a kind'} cannot be defined`;
  refuseUnknownOptions(subject, '', options, known);
  for (const needed of ['group', 'version', 'kind'] as const) {
    if (options[needed] !== undefined) continue;
    throw new DefinitionError(`${subject}: it has no ${needed}`, {
      hint: "write customResource({ group: 'cache.example.com', version: 'v1', kind: 'Memcached', spec: s.object({ … }) })",
    });
  }
  refuseMisshapen(subject, '', options, shapes);
  refuseUntypedScale(subject, 'scale', options['scale']);
  for (const [index, policy] of ((options['policies'] ?? []) as readonly unknown[]).entries()) {
    refuseUnknownOptions(subject, `policies[${index}].`, policy, shapesOfPolicy);
    refuseMisshapen(subject, `policies[${index}].`, policy, shapesOfPolicy);
  }
  refuseNoSchema(subject, 'spec', options['spec']);
  if (options['status'] !== undefined) refuseNoSchema(subject, 'status', options['status']);
  const admission = (options['admission'] ?? {}) as Given;
  refuseUnknownOptions(subject, 'admission.', admission, knownOfAdmission);
  for (const [name, asked] of Object.entries(admission)) {
    if (asked !== undefined) refuseNoFunction(subject, `admission.${name}`, asked);
  }
  for (const [name, version] of Object.entries((options['versions'] ?? {}) as Readonly<Record<string, Given>>)) {
    const where = `versions.${name}`;
    refuseMisshapen(subject, `${where}.`, version, shapesOfVersion);
    refuseUnknownOptions(subject, `${where}.`, version, knownOfVersion);
    refuseNoSchema(subject, `${where}.spec`, version['spec']);
    for (const way of ['upgrade', 'downgrade']) refuseNoFunction(subject, `${where}.${way}`, version[way]);
    refuseUntypedScale(subject, `${where}.scale`, version['scale']);
  }
}

function refuseUntypedScale(subject: string, where: string, scale: unknown): void {
  if (scale === undefined) return;
  refuseUnknownOptions(subject, `${where}.`, scale, shapesOfScale);
  refuseMisshapen(subject, `${where}.`, scale, shapesOfScale);
  for (const needed of ['replicas', 'statusReplicas']) {
    if ((scale as Given)[needed] !== undefined) continue;
    throw new DefinitionError(`${subject}: ${where}.${needed} is missing`, {
      hint: "write scale: { replicas: '.spec.size', statusReplicas: '.status.readyReplicas' }",
    });
  }
}

function refuseNoSchema(subject: string, where: string, given: unknown): void {
  if (isSchema(given)) return;
  throw new DefinitionError(`${subject}: ${where} is no schema`, { hint: `write ${where}: s.object({ … })` });
}

function refuseNoFunction(subject: string, where: string, given: unknown): void {
  if (typeof given !== 'function') throw new DefinitionError(`${subject}: ${where} is no function`);
}
