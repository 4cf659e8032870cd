import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { Deployment, Service } from '../../imports/k8s.js';
import { Route } from '../../imports/route.js';
import { NotFoundError } from '../../src/client/api-error.js';
import { Podroute, podroute } from '../../src/operators/podroute.js';
import { eventually } from '../cluster/eventually.js';
import { onEveryCluster } from '../cluster/on-real-cluster.js';
import { packageRoot } from '../cluster/package-root.js';
import { untilServed } from '../cluster/until-served.js';
import { LifeStage } from './life-stage.js';

const definition = join(packageRoot, 'imports/route.crd.yaml');
/** How long a kind that came may go unnoticed. */
const secondsUntilNoticed = 40;

onEveryCluster('the life of a Podroute', { controllerManager: true, audit: true }, (plane) => {
  const stage = new LifeStage(plane, [podroute]);
  const available = () => stage.condition(Podroute, 'web', 'RouteAvailable');
  const install = async () => {
    await plane().kubectl(['apply', '-f', definition]);
    await untilServed(plane(), 'routes.route.openshift.io');
  };

  it('begins without a Route where there is no such API, and says so', async () => {
    const { apiVersion, kind } = Podroute;
    const spec = { image: 'quay.io/podroute/podroute:v1', replicas: 2 };
    await stage.apply({ apiVersion, kind, metadata: { name: 'web' }, spec });

    await stage.ready(Podroute, 'web', { readyReplicas: 2 });
    expect(await available()).toMatchObject({
      status: 'False',
      reason: 'KindNotServed',
      message: 'The API server does not serve routes.route.openshift.io in v1, so that there is no Route',
    });
    expect(await stage.names(Deployment)).toEqual(['web-server']);
    expect(await stage.names(Service)).toContain('web-service');
  });

  it('gets its Route when the API is installed, without a restart', async () => {
    await install();
    await eventually(async () => expect(await available()).toMatchObject({ status: 'True' }), secondsUntilNoticed);
    await eventually(async () =>
      expect((await stage.get(Route, 'web-route')).spec.to).toMatchObject({ kind: 'Service', name: 'web-service' }),
    );
  });

  it('shows the URL that a router gives it', async () => {
    await stage.admin.patch(
      Route,
      { namespace: 'default', name: 'web-route' },
      { type: 'merge', body: { status: { ingress: [{ host: 'web.example.com', routerName: 'default' }] } } },
      { fieldManager: 'router', subresource: 'status' },
    );
    await stage.ready(Podroute, 'web', { url: 'http://web.example.com' });
  });

  it('follows every change of its spec', async () => {
    await stage.patch(Podroute, 'web', { spec: { image: 'quay.io/podroute/podroute:v2', replicas: 3 } });
    await stage.ready(Podroute, 'web', { readyReplicas: 3 });
    const { spec } = await stage.get(Deployment, 'web-server');
    expect(spec?.template.spec?.containers[0]).toMatchObject({ image: 'quay.io/podroute/podroute:v2' });
  });

  it.each([
    ['the Deployment', Deployment, 'web-server', { spec: { replicas: 9 } }, 'strategic'],
    ['the Service', Service, 'web-service', { spec: { selector: { tier: 'other' } } }, 'strategic'],
    ['the Route', Route, 'web-route', { spec: { to: { name: 'other' } } }, 'merge'],
  ] as const)('puts back what was changed in %s', async (_, kind, name, changed, type) => {
    await stage.putsBack(kind, name, changed, type);
  });

  it.each([
    ['Deployment', Deployment, 'web-server'],
    ['Service', Service, 'web-service'],
    ['Route', Route, 'web-route'],
  ] as const)('makes a deleted %s again', async (_, kind, name) => {
    await stage.makesAgain(kind, name);
  });

  it.each([
    ['no image', { replicas: 1 }, 'spec.image: Required value'],
    ['fewer than no replicas', { image: 'a', replicas: -1 }, 'spec.replicas: Invalid value: -1'],
    [
      'an image that begins with a space',
      { image: ' a' },
      'spec.image: Invalid value: " a": spec.image in body should match',
    ],
    ['a key with a wrong capital', { image: 'a', Replicas: 1 }, 'unknown field "spec.Replicas"'],
  ])('is refused with %s', async (_, spec, words) => {
    await stage.refuses(Podroute, spec, words);
  });

  it('goes on without its Route when the API is taken away', async () => {
    await stage.ready(Podroute, 'web');
    await plane().kubectl(['delete', 'crd', 'routes.route.openshift.io', '--timeout=30s']);
    await eventually(async () => expect(await available()).toMatchObject({ status: 'False' }), secondsUntilNoticed);
    await stage.patch(Podroute, 'web', { spec: { replicas: 1 } });
    const status = await stage.ready<object>(Podroute, 'web', { readyReplicas: 1 });
    expect(status).not.toHaveProperty('url');
    await expect(stage.get(Route, 'web-route')).rejects.toThrow(NotFoundError);
  });

  it('is not written to when its controller restarts and nothing has drifted', async () => {
    await stage.ready(Podroute, 'web');
    expect(await stage.writesOfRestart()).toEqual([]);
  });

  it('gets a Route when the API is back', async () => {
    await install();
    await eventually(async () => expect(await stage.names(Route)).toEqual(['web-route']), secondsUntilNoticed);
    await eventually(async () => expect(await available()).toMatchObject({ status: 'True' }));
  });

  it('ends together with its children', async () => {
    await plane().kubectl(['delete', 'podroute', 'web', '--wait=false']);
    await eventually(async () => {
      expect(await stage.names(Deployment)).toEqual([]);
      expect(await stage.names(Service)).toEqual(['kubernetes']);
      expect(await stage.names(Route)).toEqual([]);
    }, 60);
  });
});
