import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { crdModule } from '../../src/cli/import/crd-module.js';
import { definitionsIn } from '../../src/cli/import/definition.js';
import { Podroute, podroute } from '../../src/operators/podroute.js';
import { packageRoot } from '../cluster/package-root.js';
import { expectGolden } from './golden.js';

const metadata = { name: 'web', namespace: 'prod' };
const image = 'quay.io/podroute/podroute:v1';
const admitted = (host: string) => ({ host, conditions: [{ type: 'Admitted', status: 'True' }] });
const refused = (host: string) => ({
  host,
  conditions: [{ type: 'Admitted', status: 'False', reason: 'HostAlreadyClaimed' }],
});

describe('podroute', () => {
  it('composes a Deployment, a Service and a Route to it', () => {
    expectGolden('podroute', podroute.desired({ metadata, spec: { image, replicas: 2 } }));
  });

  it('is defined for the API server', () => {
    expectGolden('podroute-definition', [Podroute.crd()]);
  });

  it.each<[string, object | undefined, string | undefined]>([
    ['there is no Route', undefined, undefined],
    ['no router has let the Route in', { status: {} }, undefined],
    ['a router has not said under which host', { status: { ingress: [{ routerName: 'default' }] } }, undefined],
    ['a router has', { status: { ingress: [{ host: 'web.example.com' }] } }, 'http://web.example.com'],
    ['a router says that it has', { status: { ingress: [admitted('web.example.com')] } }, 'http://web.example.com'],
    ['a router has refused its host', { status: { ingress: [refused('taken.example.com')] } }, undefined],
    [
      'a router has refused its host and another has let it in',
      { status: { ingress: [refused('taken.example.com'), admitted('web.example.com')] } },
      'http://web.example.com',
    ],
    [
      'somebody has added a certificate',
      {
        spec: { tls: { termination: 'edge' } },
        status: { ingress: [admitted('web.example.com')] },
      },
      'https://web.example.com',
    ],
  ])('shows where it is reachable when %s', (_, route, url) => {
    expect(podroute.status({ server: undefined, route: route as never }, {}, { metadata } as never)).toEqual({
      ...(url === undefined ? {} : { url }),
      readyReplicas: 0,
    });
  });

  it.each([
    [{ image, replicas: -1 }, 'spec.replicas'],
    [{ image: '' }, 'spec.image'],
    [{}, 'spec.image: Required value'],
  ])('refuses %j', (spec, words) => {
    expect(() => podroute.desired({ metadata, spec: spec as { image: string } })).toThrow(words);
  });

  it('makes its Route by what kilter import crd makes of the definition beside it', () => {
    const content: unknown = parse(readFileSync(join(packageRoot, 'imports/route.crd.yaml'), 'utf8'));
    const definitions = definitionsIn([{ content, subject: 'imports/route.crd.yaml' }], () => {});
    expect(readFileSync(join(packageRoot, 'imports/route.ts'), 'utf8')).toBe(crdModule(definitions, '../src/index.js'));
  });
});
