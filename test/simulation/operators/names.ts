/** What an operator is called, and was called before. */
export interface Names {
  readonly name: string;
  readonly formerly?: readonly string[];
}

/** Under another name. */
export const renamed = (name: string): Names => ({ name: `new-${name}`, formerly: [name] });

/** Under its first name again, after it had another. */
export const namedBack = (name: string): Names => ({ name, formerly: [`new-${name}`] });
