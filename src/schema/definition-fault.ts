/** Something wrong with the definition of a schema. */
export interface DefinitionFault {
  /** As in the API server's answer, from the schema down: `.properties[hosts].items.pattern`. */
  readonly path: string;
  readonly message: string;
  /** What the author can do about it. */
  readonly hint?: string | undefined;
  /** True when only kilter refuses it: the server would take it, and then refuse what users write. */
  readonly oursAlone?: true;
}
