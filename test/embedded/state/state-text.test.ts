import { describe, expect, it } from '@jest/globals';
import { type ClusterState, newIdentity } from '../../../src/embedded/state/cluster-state.js';
import { stateOf, textOf } from '../../../src/embedded/state/state-text.js';
import type { KubeObject } from '../../../src/kube/manifest.js';

const configMap = (name: string, value: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}`, resourceVersion: '7', creationTimestamp: '' },
  data: { value },
});
const state = (change: Partial<ClusterState> = {}): ClusterState => ({
  revision: 41,
  isEnd: true,
  identity: { ...newIdentity(0), port: 4321 },
  objects: [
    ['configmaps', configMap('a', 'line\nbreak "quoted" \u2028 ünïcödé')],
    ['configmaps', configMap('b', '"sha256":"no"')],
  ],
  ...change,
});
const text = textOf(state());

describe('the text of a state', () => {
  it('holds all of it', () => {
    const written = state();
    expect(stateOf(textOf(written), 'state.json')).toEqual(written);
  });

  it('is JSON, with an object a line', () => {
    expect(JSON.parse(text)).toMatchObject({ format: 'kilter-cluster', version: 1, revision: 41 });
    expect(text.split('\n').filter((line) => line.startsWith('["configmaps",{'))).toHaveLength(2);
  });

  it('holds an empty cluster', () => {
    expect(stateOf(textOf(state({ objects: [] })), 'state.json').objects).toEqual([]);
  });

  it('leaves out revisions that may have been told after it, unless it is the last', () => {
    expect(stateOf(textOf(state({ isEnd: true })), '').revision).toBe(41);
    expect(stateOf(textOf(state({ isEnd: false })), '').revision).toBeGreaterThan(100_000);
  });
});

describe('a text that is no state', () => {
  it.each([
    ['nothing', '', 'it is empty'],
    ['half of it', text.slice(0, text.length / 2), 'it is no whole JSON'],
    ['all but the end', text.slice(0, -3), 'it is no whole JSON'],
    ['other JSON', '{"kind":"List"}', 'it is no state of a cluster, but something else'],
    ['a list', '[]', 'it is no state of a cluster, but something else'],
    ['null', 'null', 'it is no state of a cluster, but something else'],
    ['one letter changed', text.replace('uid-of-a', 'uid-of-b'), 'its checksum is not that of its content'],
    ['an object less', text.replace(/\["configmaps"[^\n]*,\n/, ''), 'its checksum is not that of its content'],
    ['no checksum', text.replace(/"sha256":.*\n/, '"end":1}'), 'its checksum is not that of its content'],
  ])('is refused when it is %s', (_, broken, why) => {
    expect(() => stateOf(broken, '.kilter/state.json')).toThrow(
      expect.objectContaining({
        name: 'OperatorError',
        message: `reading the cluster state .kilter/state.json failed: ${why}`,
        hint: expect.stringContaining('move it away'),
      }),
    );
  });

  it('is refused with other advice when a later version wrote it, whatever its shape', () => {
    expect(() => stateOf('{"format":"kilter-cluster","version":2,"tables":{}}', 'state.json')).toThrow(
      expect.objectContaining({
        message:
          'reading the cluster state state.json failed: it has format 2, and the latest that this kilter knows is 1',
        hint: 'use the kilter that wrote it, or a later one',
      }),
    );
  });
});
