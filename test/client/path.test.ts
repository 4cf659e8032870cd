import { describe, expect, it } from '@jest/globals';
import { pathOf, withQuery } from '../../src/client/path.js';
import { OperatorError } from '../../src/kube/errors.js';

const configMaps = { apiVersion: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const deployments = { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', namespaced: true };
const nodes = { apiVersion: 'v1', kind: 'Node', plural: 'nodes', namespaced: false };

describe('a path', () => {
  it.each([
    ['/api/v1/configmaps', configMaps, {}],
    ['/api/v1/namespaces/prod/configmaps', configMaps, { namespace: 'prod' }],
    ['/api/v1/namespaces/prod/configmaps/a.b', configMaps, { namespace: 'prod', name: 'a.b' }],
    [
      '/apis/apps/v1/namespaces/prod/deployments/web/status',
      deployments,
      { namespace: 'prod', name: 'web', subresource: 'status' },
    ],
    ['/api/v1/nodes/n1', nodes, { name: 'n1' }],
  ])('%s', (path, resource, target) => {
    expect(pathOf(resource, target)).toBe(path);
  });

  it.each(['', '.', '..', 'a/b', '../secrets/s', '%2e%2e', 'a%2fb'])('does not take %j for a name', (name) => {
    expect(() => pathOf(configMaps, { namespace: 'prod', name })).toThrow(OperatorError);
    expect(() => pathOf(configMaps, { namespace: name, name: 'a' })).toThrow(OperatorError);
  });

  it.each(['a?watch=1', 'a#b', 'a\\b', 'ä b', 'a\nb', 'a;b'])('keeps %j one segment', (name) => {
    const url = new URL(pathOf(configMaps, { namespace: 'prod', name }), 'https://server');
    expect(url.pathname.split('/')).toHaveLength(7);
    expect(decodeURIComponent(url.pathname.split('/')[6] as string)).toBe(name);
    expect(url.search + url.hash).toBe('');
  });

  it('is not made for one of a namespaced kind without a namespace, nor for a cluster-scoped kind with one', () => {
    expect(() => pathOf(configMaps, { name: 'a' })).toThrow('without a namespace');
    expect(() => pathOf(nodes, { namespace: 'prod', name: 'a' })).toThrow('cluster-scoped');
  });

  it('has of its parameters those that are set, encoded', () => {
    expect(withQuery('/a', { labelSelector: 'a=b,c in (d&e)', limit: 5, none: undefined })).toBe(
      '/a?labelSelector=a%3Db%2Cc+in+%28d%26e%29&limit=5',
    );
    expect(withQuery('/a', {})).toBe('/a');
  });
});
