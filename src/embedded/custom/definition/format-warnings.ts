import { isKnownFormat } from '../../../schema/formats.js';
import type { StructuralSchema } from '../../../schema/structural.js';
import type { CustomDefinition, RawSchema } from '../custom-definition.js';
import { someSchema, textOf, typeOf } from './raw-schema.js';

/** Formats that the server passes over, of which an update says only what is new. */
export function formatWarnings(definition: CustomDefinition, old?: CustomDefinition): readonly string[] {
  const before = new Set(old ? unknownFormats(old) : []);
  return unknownFormats(definition)
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format "${format}"`);
}

function unknownFormats({ spec }: CustomDefinition): readonly string[] {
  const schemas = (spec.versions ?? []).flatMap(({ schema }) =>
    schema?.openAPIV3Schema ? [schema.openAPIV3Schema] : [],
  );
  // What all versions have in common is looked at once.
  const distinct = new Set(schemas.map((schema) => JSON.stringify(schema))).size === 1 ? schemas.slice(0, 1) : schemas;
  return distinct.flatMap(formatsOf);
}

function formatsOf(root: RawSchema): readonly string[] {
  const found: string[] = [];
  someSchema(root, (schema) => {
    const format = textOf(schema, 'format');
    if (format !== '' && !isEnforced(typeOf(schema), format)) found.push(format);
    return false;
  });
  return found;
}

function isEnforced(type: string, format: string): boolean {
  return isKnownFormat({ type: type === '' ? 'string' : type, format } as StructuralSchema);
}
