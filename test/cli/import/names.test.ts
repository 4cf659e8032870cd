import { describe, expect, it } from '@jest/globals';
import { Names, nameAll, pascal } from '../../../src/cli/import/names.js';

/** `events/v1 Event` wants to be called `Event`. */
function named(wanting: readonly string[], rank?: (group: string) => number): Record<string, string> {
  const types = wanting.map((text) => {
    const [, group = '', version = '', short = ''] = /^(.*)\/(\S+) (\w+)$/.exec(text) ?? [];
    return { text, group, version, short };
  });
  const names = nameAll(types, new Names(['Props']), rank ? { rank: ({ group }) => rank(group) } : {});
  return Object.fromEntries([...names].map(([{ text }, name]) => [text, name]));
}

describe('the names of types', () => {
  it.each<[string, Record<string, string>]>([
    ['nobody else wants', { 'apps/v1 Deployment': 'Deployment', 'batch/v1 Job': 'Job' }],
    [
      'versions of one kind want',
      {
        'a.com/v1 Kind': 'KindV1',
        'a.com/v2 Kind': 'Kind',
        'a.com/v3beta1 Kind': 'KindV3beta1',
        'a.com/v10alpha1 Kind': 'KindV10alpha1',
      },
    ],
    ['groups want', { 'a.com/v1 Kind': 'Kind', 'b.com/v1 Kind': 'BKind', 'b.com/v1alpha1 Kind': 'BKindV1alpha1' }],
    [
      'groups want that begin alike',
      { 'a.com/v1 Kind': 'Kind', 'b.com/v1 Kind': 'BKind', 'b.org/v1 Kind': 'BOrgKind' },
    ],
    ['the module itself needs', { 'a.com/v1 Props': 'PropsResource', 'b.com/v1 Props': 'BProps' }],
    ['another has made up', { 'a.com/v1 Kind': 'Kind', 'b.com/v1 Kind': 'BComKind', 'c.com/v1 BKind': 'BKind' }],
  ])('that %s are settled by rule, in whatever order they come', (_, expected) => {
    expect(named(Object.keys(expected))).toEqual(expected);
    expect(named(Object.keys(expected).reverse())).toEqual(expected);
  });

  it('stay with the group of the best rank when another one comes that is first by alphabet', () => {
    const seniority = ['rbac', 'flowcontrol'];
    const rank = (group: string) => (seniority.includes(group) ? seniority.indexOf(group) : seniority.length);
    const before = named(['rbac/v1 Subject', 'flowcontrol/v1 Subject'], rank);
    const after = named(['access/v1 Subject', 'rbac/v1 Subject', 'flowcontrol/v1 Subject'], rank);

    expect(before).toEqual({ 'rbac/v1 Subject': 'Subject', 'flowcontrol/v1 Subject': 'FlowcontrolSubject' });
    expect(after).toEqual({ ...before, 'access/v1 Subject': 'AccessSubject' });
  });

  it('leave room for what belongs to them', () => {
    const names = new Names([]);
    const companions = (name: string) => [`${name}Object`];
    expect(names.claim(['ServerObject'])).toBe('ServerObject');
    expect(names.claim(['Server'], companions)).toBe('Server2');
    expect(names.claim(['Server2Object'])).toBe('Server2Object2');
  });

  it.each([
    ['volume-mounts', 'VolumeMounts'],
    ['v1beta1', 'V1beta1'],
    ['HTTPRoute', 'HTTPRoute'],
    ['cert-manager.io', 'CertManagerIo'],
    ['1st', 'Field1st'],
    ['', 'Field'],
    ['*/', 'Field'],
    ['ß', 'Field'],
  ])('are made of %j as %s', (text, name) => {
    expect(pascal(text)).toBe(name);
  });
});
