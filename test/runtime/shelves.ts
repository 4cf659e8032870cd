import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';

export const Shelf = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Shelf',
  spec: s.object({ books: s.int32() }),
});

/** As many ConfigMaps as it says. */
export const shelves = operator(Shelf, {
  owns: [ConfigMap],
  compose(scope, { spec }) {
    for (let index = 0; index < spec.books; index++) new ConfigMap(scope, `book-${index}`);
  },
});
