import type { ASTNode } from '@marcbachmann/cel-js';
import { metadataFields } from '../object-meta.js';
import type { StructuralSchema } from '../structural.js';
import { nodesOf } from './compile.js';
import { policyEnvironment } from './environment.js';
import { escapedName } from './escape.js';
import { withoutRawQuotes } from './raw-texts.js';
import { withWholeNumbers } from './unread-syntax.js';

/** A field that an expression selects, and no object of a kind has. */
export interface StrangeField {
  readonly path: string;
  /** What is there in its place. */
  readonly known: readonly string[];
}

/**
 * The first field that the expression of a policy, which can be compiled, selects of `object` or `oldObject` and that `schema` does
 * not have: it would be an error with each write, by which the API server refuses that. Where the schema leaves open what there
 * is, in a map or in what preserves unknown fields, everything may be.
 */
export function strangeField(source: string, schema: StructuralSchema): StrangeField | undefined {
  const nodes = nodesOf(policyEnvironment().parse(withWholeNumbers(withoutRawQuotes(source))).ast);
  // A macro may call something else by their names.
  if (nodes.some(bindsObject)) return undefined;
  for (const node of nodes) {
    const selected = selectionIn(node);
    const place = selected && placeOf(selected.of, schema);
    if (!selected || !place || selected.name === undefined) continue;
    const known = fieldsOf(place);
    if (!known || known.some((name) => isSelectedBy(selected.name ?? '', name))) continue;
    return { path: `${place.path}.${selected.name}`, known };
  }
  return undefined;
}

const objects: readonly unknown[] = ['object', 'oldObject'];
const selections: readonly string[] = ['.', '.?', '[]', '[?]'];

interface Place {
  readonly path: string;
  readonly schema: StructuralSchema;
  readonly isMetadata: boolean;
}

function isObject(node: ASTNode | undefined): boolean {
  return node?.op === 'id' && objects.includes(node.args);
}

function bindsObject({ op, args }: ASTNode): boolean {
  if (op !== 'rcall') return false;
  const [, , given] = args as readonly [unknown, unknown, readonly ASTNode[]];
  return given.length > 1 && isObject(given[0]);
}

/** What a node selects of what: by a name, unless that is worked out. */
function selectionIn({ op, args }: ASTNode): { readonly of: ASTNode; readonly name: string | undefined } | undefined {
  if (!selections.includes(op)) return undefined;
  const [of, by] = args as readonly [ASTNode, string | ASTNode];
  if (typeof by === 'string') return { of, name: by };
  const value: unknown = by.op === 'value' ? by.args : undefined;
  return { of, name: typeof value === 'string' ? value : undefined };
}

/** Where in an object a node leads to; undefined where that is not known. */
function placeOf(node: ASTNode, root: StructuralSchema): Place | undefined {
  if (isObject(node)) return { path: String(node.args), schema: root, isMetadata: false };
  const selected = selectionIn(node);
  const parent = selected && placeOf(selected.of, root);
  if (!selected || !parent || parent.isMetadata) return undefined;
  const { name } = selected;
  const isMetadata = parent.schema === root && name === 'metadata';
  if (isMetadata) return { path: `${parent.path}.metadata`, schema: {}, isMetadata };
  const { properties = {}, additionalProperties, items } = parent.schema;
  const field = Object.keys(properties).find((each) => name !== undefined && isSelectedBy(name, each));
  const schema = field === undefined ? (additionalProperties ?? items) : properties[field];
  return schema && { path: `${parent.path}${name === undefined ? '[…]' : `.${name}`}`, schema, isMetadata };
}

/** The fields of a place, where no others can be. */
function fieldsOf({ schema, isMetadata, path }: Place): readonly string[] | undefined {
  if (isMetadata) return metadataFields;
  const isOpen =
    schema.type !== 'object' ||
    schema.additionalProperties !== undefined ||
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    schema['x-kubernetes-embedded-resource'] === true;
  if (isOpen) return undefined;
  const fields = Object.keys(schema.properties ?? {});
  return objects.includes(path) ? [...new Set([...fields, 'apiVersion', 'kind', 'metadata'])] : fields;
}

/** By itself, or as CEL has names that are none there. */
function isSelectedBy(selected: string, name: string): boolean {
  return selected === name || selected === escapedName(name);
}
