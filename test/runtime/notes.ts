import { ConfigMap } from '../../imports/k8s.js';
import { customResource, operator, s } from '../../src/index.js';

/** A custom resource with one child that says what it says. */
export const Note = customResource({
  group: 'x.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string({ default: 'one' }) }),
  status: s.object({ text: s.string() }),
});
export const notes = operator(Note, {
  owns: [ConfigMap],
  compose: (scope, { spec }) => ({ paper: new ConfigMap(scope, 'paper', { data: { text: spec.text } }) }),
  status: ({ paper }) => ({ text: paper?.data?.['text'] ?? '' }),
});
export const note = (text = 'one') => ({
  apiVersion: Note.apiVersion,
  kind: Note.kind,
  metadata: { name: 'a' },
  spec: { text },
});
