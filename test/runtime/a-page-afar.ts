import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';

/** It says by a field what becomes of its children, which are in another namespace. */
export const Page = customResource({
  group: 'web.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ removal: s.enum(['delete', 'orphan'], { default: 'delete' }) }),
});

export const page = operator(Page, {
  owns: [ConfigMap],
  reach: 'cluster',
  removal: '.spec.removal',
  compose(scope) {
    for (const id of ['first', 'second', 'third'])
      new ConfigMap(scope, id, { metadata: { namespace: 'afar' }, data: { text: id } });
  },
});

export const home = { apiVersion: Page.apiVersion, kind: Page.kind, metadata: { name: 'home' }, spec: {} };
