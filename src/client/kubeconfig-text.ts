import { parse, YAMLParseError } from 'yaml';

/**
 * What the text of a kubeconfig says, or where it is not YAML: what the parser says of that quotes the text, in which there are
 * secrets. A module of its own, which is loaded with the first text: in a Pod there is none, and no memory for a parser.
 */
export function yamlIn(text: string): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: parse(text, { logLevel: 'error' }) };
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    return { fault: `${line === undefined ? 'it' : `line ${line}`} is not YAML` };
  }
}
