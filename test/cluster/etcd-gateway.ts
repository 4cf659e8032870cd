/** Has etcd forget all that was before now. */
export async function compact(etcdUrl: string): Promise<void> {
  const { header } = await call(etcdUrl, 'kv/range', { key: Buffer.from('any').toString('base64') });
  await call(etcdUrl, 'kv/compaction', { revision: header.revision, physical: true });
}

/** Without room etcd takes no write but deletions, whatever its disk has. */
export async function hasRoom(etcdUrl: string, has: boolean): Promise<void> {
  const { header } = await call(etcdUrl, 'maintenance/status', {});
  const alarm = { action: has ? 'DEACTIVATE' : 'ACTIVATE', memberID: header.member_id, alarm: 'NOSPACE' };
  await call(etcdUrl, 'maintenance/alarm', alarm);
}

/** By etcd's own gateway from JSON, since its client is one more program to build. */
async function call(etcdUrl: string, path: string, body: object) {
  const answer = await fetch(`${etcdUrl}/v3/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd answered ${answer.status} to ${path}: ${await answer.text()}`);
  return (await answer.json()) as { readonly header: { readonly revision: string; readonly member_id: string } };
}
