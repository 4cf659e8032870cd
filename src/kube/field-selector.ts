/** The field selector of the objects with this name: those that Kubernetes takes from no DNS may have commas, say. */
export function withName(name: string): string {
  return `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}`;
}
