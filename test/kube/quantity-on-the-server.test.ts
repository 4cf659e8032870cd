import { expect, it } from '@jest/globals';
import { canonicalQuantity, compareQuantities } from '../../src/kube/quantity.js';
import { onRealCluster } from '../cluster/on-real-cluster.js';
import { canonical } from './quantities.js';

interface Echo {
  readonly template: {
    readonly spec: { readonly volumes: readonly { readonly emptyDir: { readonly sizeLimit: string } }[] };
  };
}

onRealCluster('a quantity on the API server', {}, (plane) => {
  it('is stored as we say, for whole numbers and fractions with every suffix', async () => {
    const texts = [...new Set([...canonical.map(([text]) => text), ...variants()])].filter(isPositive);
    const volumes = texts.map((sizeLimit, index) => ({ name: `v${index}`, emptyDir: { sizeLimit } }));
    const template = {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'echo' },
      template: { spec: { volumes, containers: [{ name: 'c', image: 'c' }] } },
    };
    const { stdout } = await plane().kubectl(
      ['create', '--dry-run=server', '--output=json', '--namespace=default', '--filename=-'],
      { stdin: JSON.stringify(template) },
    );

    const stored = (JSON.parse(stdout) as Echo).template.spec.volumes.map(({ emptyDir }) => emptyDir.sizeLimit);
    expect(Object.fromEntries(texts.map((text) => [text, canonicalQuantity(text)]))).toEqual(
      Object.fromEntries(texts.map((text, index) => [text, stored[index]])),
    );
    expect(texts.length).toBeGreaterThan(300);
  });
});

/** The server takes no negative size. */
function isPositive(text: string): boolean {
  return compareQuantities(text, '0') >= 0;
}

function variants(): string[] {
  const numbers = ['1', '8', '12', '100', '999', '1000', '1024', '2048', '1.5', '0.1', '0.25', '1023.5', '12345678901'];
  const suffixes = [
    '',
    'n',
    'u',
    'm',
    'k',
    'M',
    'G',
    'T',
    'P',
    'E',
    'Ki',
    'Mi',
    'Gi',
    'Ti',
    'Pi',
    'Ei',
    'e3',
    'E-3',
    'e0',
  ];
  return numbers.flatMap((number) => suffixes.map((suffix) => `${number}${suffix}`));
}
