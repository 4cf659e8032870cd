import { DefinitionError } from '../kube/errors.js';
import { flag, map, mapOfTexts, objects, refuseMisshapen, type Shape, text, texts } from '../kube/refuse-misshapen.js';
import { refuseUnknownOptions } from '../kube/unknown-options.js';
import { type AnySchema, isSchema } from '../schema/schema.js';
import type { Admission } from './admission.js';
import type { CustomResourceInput } from './custom-resource.js';
import type { OtherVersion } from './other-version.js';

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

const knownOfVersion: Readonly<Record<keyof OtherVersion, true>> = {
  spec: true,
  upgrade: true,
  downgrade: true,
  served: true,
  deprecated: true,
  columns: true,
  scale: true,
};

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
  if (options['scale'] !== undefined) {
    refuseMisshapen(subject, 'scale.', options['scale'], { replicas: text, statusReplicas: text, selector: text });
    for (const needed of ['replicas', 'statusReplicas']) {
      if ((options['scale'] as Given)[needed] !== undefined) continue;
      throw new DefinitionError(`${subject}: scale.${needed} is missing`, {
        hint: "write scale: { replicas: '.spec.size', statusReplicas: '.status.readyReplicas' }",
      });
    }
  }
  for (const [index, policy] of ((options['policies'] ?? []) as readonly unknown[]).entries()) {
    refuseMisshapen(subject, `policies[${index}].`, policy, { expression: text, message: text });
  }
  refuseNoSchema(subject, 'spec', options['spec']);
  if (options['status'] !== undefined) refuseNoSchema(subject, 'status', options['status']);
  const admission = (options['admission'] ?? {}) as Given;
  refuseUnknownOptions(subject, 'admission.', admission, knownOfAdmission);
  for (const [name, asked] of Object.entries(admission)) {
    if (asked !== undefined) refuseNoFunction(subject, `admission.${name}`, asked);
  }
  for (const [name, version] of Object.entries((options['versions'] ?? {}) as Readonly<Record<string, Given>>)) {
    refuseUnknownOptions(subject, `versions.${name}.`, version, knownOfVersion);
    refuseNoSchema(subject, `versions.${name}.spec`, version?.['spec']);
    for (const way of ['upgrade', 'downgrade']) refuseNoFunction(subject, `versions.${name}.${way}`, version?.[way]);
  }
}

function refuseNoSchema(subject: string, where: string, given: unknown): void {
  if (isSchema(given)) return;
  throw new DefinitionError(`${subject}: ${where} is no schema`, { hint: `write ${where}: s.object({ … })` });
}

function refuseNoFunction(subject: string, where: string, given: unknown): void {
  if (typeof given !== 'function') throw new DefinitionError(`${subject}: ${where} is no function`);
}
