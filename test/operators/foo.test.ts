import { describe, expect, it } from '@jest/globals';
import { Foo, foo } from '../../src/operators/foo.js';
import { expectGolden } from './golden.js';

const metadata = { name: 'example-foo', namespace: 'prod' };

describe('foo', () => {
  it('composes a Deployment of the name that it is given', () => {
    expectGolden('foo', foo.desired({ metadata, spec: { deploymentName: 'web', replicas: 2 } }));
  });

  it('runs one pod if it is not told how many', () => {
    const [deployment] = foo.desired({ metadata, spec: { deploymentName: 'web' } });
    expect(deployment).toMatchObject({ spec: { replicas: 1 } });
  });

  it('is defined for the API server', () => {
    expectGolden('foo-definition', [Foo.crd()]);
  });

  it.each([
    [{ deploymentName: '' }, 'spec.deploymentName'],
    [{ deploymentName: 'web/shop' }, 'spec.deploymentName'],
    [{ deploymentName: '../web' }, 'spec.deploymentName'],
    [{ deploymentName: 'web', replicas: 0 }, 'spec.replicas'],
    [{ deploymentName: 'web', replicas: 11 }, 'spec.replicas'],
  ])('refuses %j', (spec, field) => {
    expect(() => foo.desired({ metadata, spec })).toThrow(field);
  });

  it.each([
    [undefined, 0],
    [{}, 0],
    [{ availableReplicas: 2 }, 2],
  ])('shows of a Deployment with status %j that %d are available', (status, availableReplicas) => {
    const server = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, status } as never;
    expect(foo.status({ server }, {}, { metadata } as never)).toEqual({ availableReplicas });
  });
});
