/** Another value of a field of a child that is always desired, so that it is put right. */
export function wrongValue(
  { kind, name = '' }: { readonly kind: string; readonly name?: string },
  wrong: string,
): object {
  switch (kind) {
    case 'ConfigMap':
      return { data: name.startsWith('r-chapter') ? { text: wrong } : { generation: wrong } };
    case 'Secret':
      return { data: { value: Buffer.from(wrong).toString('base64') } };
    case 'Service':
    case 'RoleBinding':
      return { metadata: { labels: null } };
    case 'Site':
      return { spec: { value: wrong } };
    default:
      return { spec: { replicas: 7 } };
  }
}
