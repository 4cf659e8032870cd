import type { FieldsV1, KubeObject } from '../kube/manifest.js';

/**
 * Lets the objects of one kind share what their `managedFields` have in common.
 *
 * The field sets are the larger part of a small object, and those of a thousand Deployments that one operator made differ
 * in the uid of an owner alone. Equal parts become one value; what an object says stays the same.
 *
 * **Assumes** that nobody changes an object of a store.
 */
export class SharedFields {
  readonly #parts = new Map<string, FieldsV1>();

  /** `object`, with the parts of its field sets that were seen before. */
  share(object: KubeObject): KubeObject {
    const { managedFields } = object.metadata;
    if (managedFields === undefined) return object;
    const shared = managedFields.map((entry) =>
      entry.fieldsV1 === undefined ? entry : { ...entry, fieldsV1: this.#shareBelow(entry.fieldsV1) },
    );
    return { ...object, metadata: { ...object.metadata, managedFields: shared } };
  }

  #shareBelow(fields: FieldsV1): FieldsV1 {
    const shared: Record<string, FieldsV1> = {};
    for (const [segment, node] of Object.entries(fields))
      shared[segment] = ownParts.has(segment) ? this.#shareBelow(node) : this.#part(segment, node);
    return shared;
  }

  #part(segment: string, node: FieldsV1): FieldsV1 {
    if (segment === 'f:ownerReferences') return node;
    const text = JSON.stringify(node);
    const known = this.#parts.get(text);
    if (known) return known;
    // Parts that are one object's alone must not pile up. What is common is soon there again.
    if (this.#parts.size >= mostParts) this.#parts.clear();
    this.#parts.set(text, node);
    return node;
  }
}

/** What holds something of an object's own beside what it has in common with others. */
const ownParts: ReadonlySet<string> = new Set(['f:metadata']);
const mostParts = 1000;
