/**
 * What the names that Kubernetes takes from DNS are made of, however long they are.
 *
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/names/
 */
export const labelSyntax = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
export const subdomainSyntax = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
export const dns1035Syntax = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

/** `web-1`: the name of a Namespace, a container, a port of a Service. */
export function isDns1123Label(text: string): boolean {
  return text.length <= 63 && labelSyntax.test(text);
}

/** `web.example.com`: the name of most objects. */
export function isDns1123Subdomain(text: string): boolean {
  return text.length <= 253 && subdomainSyntax.test(text);
}

/** `web-1`, which may not begin with a digit: the name of a Service. */
export function isDns1035Label(text: string): boolean {
  return text.length <= 63 && dns1035Syntax.test(text);
}
