import type { ApiResource } from './api-resource.js';
import { DefinitionError } from './errors.js';
import { isMap } from './plain-map.js';

/** What an option has to be, and how it is written. */
export interface Shape {
  readonly words: string;
  readonly example: string;
  fits(value: unknown): boolean;
}

const isText = (value: unknown) => typeof value === 'string';
const isMapOf = (fits: (value: unknown) => boolean) => (value: unknown) =>
  isMap(value) && Object.values(value).every(fits);
const isListOf = (fits: (value: unknown) => boolean) => (value: unknown) => Array.isArray(value) && value.every(fits);

/** True for classes of `imports/` and their like. */
export function isKind(value: unknown): value is ApiResource {
  return saysAsText(value, 'apiVersion', 'kind', 'plural');
}

function saysAsText(value: unknown, ...names: readonly (keyof ApiResource)[]): boolean {
  // Of a class, whose statics may be those of one above it.
  return names.every((name) => isText((value as Partial<ApiResource> | null | undefined)?.[name]));
}

export const text: Shape = { words: 'a text', example: "'…'", fits: isText };
export const flag: Shape = { words: 'true or false', example: 'true', fits: (value) => typeof value === 'boolean' };
export const number: Shape = { words: 'a number', example: '5', fits: (value) => typeof value === 'number' };
export const texts: Shape = { words: 'a list of texts', example: "['…']", fits: isListOf(isText) };
export const map: Shape = { words: 'an object', example: '{ … }', fits: isMapOf(() => true) };
export const mapOfTexts: Shape = { words: 'an object of texts', example: "{ …: '…' }", fits: isMapOf(isText) };
export const objects: Shape = { words: 'a list of objects', example: '[{ … }]', fits: isListOf(map.fits) };
export const kindName: Shape = {
  words: 'a kind',
  example: 'Deployment',
  fits: (value) => saysAsText(value, 'apiVersion', 'kind'),
};
export const kinds: Shape = { words: 'a list of kinds', example: '[ConfigMap]', fits: isListOf(isKind) };

/**
 * Throws `DefinitionError` for an option at `path` of `subject` that is not what `shapes` has under its name. Where no compiler is
 * asked, it would end in the words of JavaScript, if not in something else that is done.
 */
export function refuseMisshapen(
  subject: string,
  path: string,
  given: unknown,
  shapes: Readonly<Record<string, Shape>>,
): void {
  if (!map.fits(given)) {
    throw new DefinitionError(
      `${subject}: ${path === '' ? 'its description' : path.replace(/\.$/, '')} is not an object`,
      {
        hint: `write { ${Object.keys(shapes).join(', ')} }, or what of it is needed`,
      },
    );
  }
  for (const [name, shape] of Object.entries(shapes)) {
    const value = (given as Readonly<Record<string, unknown>>)[name];
    if (value === undefined || shape.fits(value)) continue;
    throw new DefinitionError(`${subject}: ${path}${name} is not ${shape.words}`, {
      hint: `write ${name}: ${shape.example}, or leave it out`,
    });
  }
}
