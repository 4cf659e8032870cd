import { describe, expect, it } from '@jest/globals';
import { fieldPath, isWithin, reaches } from '../../src/kube/field-path.js';

describe('a field path', () => {
  const web = 'k:{"name":"web"}';
  it.each<[string, readonly string[], boolean]>([
    ['spec.replicas', ['f:spec', 'f:replicas'], true],
    ['spec.replicas', ['f:spec', 'f:replicasX'], false],
    ['spec', ['f:spec', 'f:replicas'], true],
    ['spec.replicas', ['f:spec'], false],
    ['metadata.annotations["example.com/a.b"]', ['f:metadata', 'f:annotations', 'f:example.com/a.b'], true],
    ["metadata.annotations['it\"s']", ['f:metadata', 'f:annotations', 'f:it"s'], true],
    ['spec.containers[name=web].image', ['f:spec', 'f:containers', web, 'f:image'], true],
    ['spec.containers[name="web"].image', ['f:spec', 'f:containers', web, 'f:image'], true],
    ["spec.containers[name='web'].image", ['f:spec', 'f:containers', web, 'f:image'], true],
    ['spec.containers[name=db].image', ['f:spec', 'f:containers', web, 'f:image'], false],
    ['spec.containers[*].image', ['f:spec', 'f:containers', web, 'f:image'], true],
    ['spec.containers[*]', ['f:spec', 'f:containers', web, 'f:image'], true],
    ['metadata.labels.*', ['f:metadata', 'f:labels', 'f:a'], true],
    ['metadata.labels.*', ['f:metadata', 'f:labels'], false],
    [
      'spec.ports[port=80,protocol=TCP].nodePort',
      ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"TCP"}', 'f:nodePort'],
      true,
    ],
    ['spec.ports[port=80]', ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"UDP"}'], true],
    ['metadata.finalizers', ['f:metadata', 'f:finalizers', 'v:"a"'], true],
    ['constructor', ['f:spec'], false],
  ])('%s at %j: %s', (text, trail, expected) => {
    expect(isWithin(fieldPath(text), trail)).toBe(expected);
  });

  it.each<[string, readonly string[], boolean]>([
    ['spec.ports[port=80,protocol=TCP].name', ['f:spec', 'f:ports'], true],
    ['spec.ports[port=80,protocol=TCP].name', ['f:spec', 'f:ports', 'k:{"port":80}'], true],
    ['spec.ports[port=80,protocol=TCP].name', ['f:spec', 'f:ports', 'k:{"port":81}'], false],
    ['spec.ports[port=80,protocol=TCP]', ['f:spec', 'f:ports', 'k:{"port":80,"protocol":"UDP"}'], false],
  ])('%s may be in what is at %j: %s', (text, trail, expected) => {
    expect(reaches(fieldPath(text), trail)).toBe(expected);
  });

  it.each([
    '',
    '.spec',
    'spec..replicas',
    'spec.',
    'spec[',
    'spec[]',
    'spec[name]',
    'spec["a',
    'spec replicas',
    'spec/x',
  ])('that is %j is refused with a hint', (text) => {
    expect(() => fieldPath(text)).toThrow(`The field path ${JSON.stringify(text)} cannot be read at`);
    expect(() => fieldPath(text)).toThrow(expect.objectContaining({ hint: expect.stringContaining('spec.replicas') }));
  });
});
