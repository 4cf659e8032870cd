import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';

/** A kind with a single child, `<name>-text`. */
export const Note = customResource({ group: 'web.example.com', version: 'v1', kind: 'Note', spec: s.object({}) });
export const note = operator(Note, {
  owns: [ConfigMap],
  compose(scope) {
    new ConfigMap(scope, 'text', { data: { by: 'us' } });
  },
});
export const aNote = { apiVersion: Note.apiVersion, kind: Note.kind, metadata: { name: 'a' }, spec: {} };
