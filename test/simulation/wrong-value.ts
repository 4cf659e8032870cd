/** Another value of a field of a child that is always desired, so that it is put right. */
export function wrongValue(
  { kind, name = '' }: { readonly kind: string; readonly name?: string },
  wrong: string,
): object {
  switch (kind) {
    case 'ConfigMap':
      return { data: { [fieldOf(name)]: wrong } };
    case 'Secret':
      return { data: { value: Buffer.from(wrong).toString('base64') } };
    case 'Gem':
      return { spec: { value: wrong } };
    case 'Service':
    case 'RoleBinding':
      return { metadata: { labels: null } };
    case 'Site':
      return { spec: { value: wrong } };
    default:
      return { spec: { replicas: 7 } };
  }
}

/** What a ConfigMap of this name always has. */
function fieldOf(name: string): string {
  if (name.startsWith('r-chapter')) return 'text';
  return /^[vw]-page/.test(name) ? 'size' : 'generation';
}
