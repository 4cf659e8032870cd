import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';

export const Page = customResource({
  group: 'adopted.example.com',
  version: 'v1',
  kind: 'Page',
  spec: s.object({ text: s.string() }),
});
/** Adopts the ConfigMap of its name, where that is nobody's. */
export const page = operator(Page, {
  owns: [ConfigMap],
  adopt: 'orphans',
  compose: (scope, { spec }) => void new ConfigMap(scope, 'default', { data: { text: spec.text } }),
});
