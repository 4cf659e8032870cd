import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventConversion } from '../../../src/embedded/built-in/event-conversion.js';
import type { Draft } from '../../../src/embedded/draft.js';
import type { KubeObject } from '../../../src/kube/manifest.js';
import { onRealCluster } from '../../cluster/on-real-cluster.js';
import { AskServer } from '../ask-server.js';
import { shown } from './shown-objects.js';

const older = '/api/v1/namespaces/default/events';
const newer = '/apis/events.k8s.io/v1/namespaces/default/events';
const bodies = shown
  .filter(({ kind }) => kind === 'Event')
  .map((event, index) => ({ ...event, apiVersion: 'v1', metadata: { name: `a-${index}` } }));

onRealCluster('an Event in its other version', {}, (plane) => {
  let server: AskServer;
  beforeAll(async () => {
    server = new AskServer(plane());
    for (const body of bodies) expect(await server.ask('POST', older, { body })).toMatchObject({ code: 201 });
  });
  afterAll(() => server.close());

  it.each(bodies.map(({ metadata }) => metadata.name))('is what the server makes of it: %s', async (name) => {
    const [stored, shownAs] = await Promise.all(
      [older, newer].map(async (path) => (await server.ask('GET', `${path}/${name}`)).body),
    );
    expect(eventConversion.fromStored(stored as unknown as KubeObject)).toEqual(shownAs);
    expect(eventConversion.toStored(shownAs as unknown as Draft)).toEqual(stored);
  });
});
