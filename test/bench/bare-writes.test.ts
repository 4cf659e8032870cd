import { describe, expect, it } from '@jest/globals';
import { memcached } from '../../src/operators/memcached.js';
import { bareWrites, filled, peerWrites } from './bare-writes.js';
import { peerNames, readPeer } from './peers.js';

describe('the bare loop', () => {
  it('writes the children that kilter composes, to the places where they belong', () => {
    const its = { name: 'cache', uid: 'b1e2', resourceVersion: '7' };
    const written = bareWrites('bench').children.map(
      ({ path, body }) => [path, JSON.parse(filled(body, its))] as const,
    );
    const desired = memcached.desired({
      metadata: { ...its, namespace: 'bench' },
      spec: { size: 3 },
    });
    expect(written.map(([path]) => path)).toEqual([
      '/apis/apps/v1/namespaces/bench/deployments',
      '/api/v1/namespaces/bench/services',
    ]);
    expect(written.map(([, { spec }]) => spec)).toEqual(desired.map(({ spec }) => spec));
    expect(written.map(([, { metadata }]) => metadata.name)).toEqual(desired.map(({ metadata }) => metadata.name));
    expect(written.map(([, { metadata }]) => metadata.ownerReferences)).toEqual(
      desired.map(({ metadata }) => metadata.ownerReferences),
    );
  });

  it('applies a status to the very version of the custom resource', () => {
    const status = JSON.parse(filled(bareWrites('bench').status, { name: 'cache', uid: 'b1e2', resourceVersion: '7' }));
    expect(status).toMatchObject({
      metadata: { name: 'cache', resourceVersion: '7' },
      status: { observedGeneration: 1, readyReplicas: 0 },
    });
  });
});

describe('what a peer leaves behind', () => {
  it('belongs to the custom resource, by name and uid', () => {
    const its = { name: 'cache', uid: 'b1e2', resourceVersion: '7' };
    const { children, status } = peerWrites('bench');
    const [deployment, service] = children.map(({ body }) => JSON.parse(filled(body, its)));
    for (const child of [deployment, service]) {
      expect(child.metadata).toMatchObject({ name: 'cache', ownerReferences: [{ uid: 'b1e2', controller: true }] });
    }
    expect(deployment.spec.selector.matchLabels).toEqual(service.spec.selector);
    expect(JSON.parse(filled(status, its))).toMatchObject({
      metadata: { name: 'cache' },
      status: { readyReplicas: 0 },
    });
  });
});

describe('a peer', () => {
  it.each(peerNames())('%s says how it is built and started', (name) => {
    const peer = readPeer(name);
    expect(peer.tools.length * peer.build.length * peer.keeps.length * peer.start.length).toBeGreaterThan(0);
    expect(peer).toMatchObject({
      name: expect.any(String),
      version: expect.stringMatching(/\d/),
      notes: expect.any(String),
    });
  });
});
