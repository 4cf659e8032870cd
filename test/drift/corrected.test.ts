import { describe, expect, it } from '@jest/globals';
import { correctedOf } from '../../src/drift/corrected.js';
import type { Difference } from '../../src/drift/difference.js';
import type { KubeObject, Manifest } from '../../src/kube/manifest.js';

const object = (replicas: number | undefined, containers: readonly object[] = []) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: { replicas, containers },
  }) as unknown as KubeObject & Manifest;
const at = (...trail: readonly string[]) =>
  ({ path: trail.join('.'), trail, desired: '(hidden)', observed: '(hidden)', by: undefined }) as Difference;
const replicas = at('f:spec', 'f:replicas');
const image = at('f:spec', 'f:containers', 'k:{"name":"web"}', 'f:image');
const sidecar = at('f:spec', 'f:containers', 'k:{"name":"sidecar"}');
const https = at('f:spec', 'f:containers', 'k:{"port":443}');
const port = (protocol: string) => ({ port: 443, protocol, targetPort: 443 });
const web = (image: string) => ({ name: 'web', image });

describe('drift is corrected', () => {
  it.each<[string, Difference, KubeObject, Manifest, KubeObject, boolean]>([
    ['that has the desired value now', replicas, object(9), object(3), object(3), true],
    ['that had it already, and was another’s', replicas, object(3), object(3), object(3), true],
    ['that was missing', replicas, object(undefined), object(3), object(3), true],
    ['that a webhook has given a new value', replicas, object(9), object(3), object(8), true],
    ['but not what a webhook keeps as it is', replicas, object(9), object(3), object(9), false],
    ['but not what a webhook takes away again', replicas, object(undefined), object(3), object(undefined), false],
    ['in an item of a list', image, object(1, [web('x')]), object(1, [web('a')]), object(1, [web('a')]), true],
    [
      'but not in an item that a webhook keeps',
      image,
      object(1, [web('x')]),
      object(1, [web('a')]),
      object(1, [web('x')]),
      false,
    ],
    [
      'of an item that has its keys by default, beside one that has as many',
      https,
      object(1, [port('UDP')]),
      object(1, [{ port: 443, protocol: 'UDP' }, { port: 443 }]),
      object(1, [port('UDP'), port('TCP')]),
      true,
    ],
    ['that was an addition', sidecar, object(1, [{ name: 'sidecar' }]), object(1), object(1), true],
    [
      'but not an addition that a webhook makes again',
      sidecar,
      object(1, [{ name: 'sidecar' }]),
      object(1),
      object(1, [{ name: 'sidecar' }]),
      false,
    ],
  ])('%s', (_, difference, before, desired, after, isCorrected) => {
    expect(correctedOf([difference], { before, desired, after })).toEqual(isCorrected ? [difference] : []);
  });
});
