import { describe, expect, it } from '@jest/globals';
import { forArgo, syncOptions, syncWave } from '../../src/gitops/argo.js';
import { waveOf } from '../../src/gitops/waves.js';
import type { Manifest } from '../../src/kube/manifest.js';

const manifest = (apiVersion: string, kind: string, annotations?: Record<string, string>): Manifest => ({
  apiVersion,
  kind,
  metadata: { name: 'x', ...(annotations ? { annotations } : {}) },
});

describe('a sync wave', () => {
  it.each([
    [-20, 'v1', 'Namespace'],
    [-10, 'apiextensions.k8s.io/v1', 'CustomResourceDefinition'],
    [-5, 'v1', 'ServiceAccount'],
    [-5, 'rbac.authorization.k8s.io/v1', 'ClusterRole'],
    [-5, 'rbac.authorization.k8s.io/v1', 'ClusterRoleBinding'],
    [-5, 'rbac.authorization.k8s.io/v1', 'Role'],
    [-5, 'rbac.authorization.k8s.io/v1', 'RoleBinding'],
    [-3, 'networking.k8s.io/v1', 'NetworkPolicy'],
    [-3, 'v1', 'ConfigMap'],
    [-3, 'cert-manager.io/v1', 'Certificate'],
    [-3, 'external-secrets.io/v1', 'ExternalSecret'],
    [0, 'v1', 'PersistentVolumeClaim'],
    [0, 'apps/v1', 'Deployment'],
    [0, 'v1', 'Service'],
    [0, 'batch/v1', 'CronJob'],
    [1, 'admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy'],
    [1, 'monitoring.coreos.com/v1', 'ServiceMonitor'],
    [5, 'memcached.cache.example.com/v1', 'Memcached'],
    [5, 'samplecontroller.k8s.io/v1alpha1', 'Foo'],
    [5, 'serving.knative.dev/v1', 'Service'],
  ])('is %i for %s %s', (wave, apiVersion, kind) => {
    expect(waveOf({ apiVersion, kind })).toBe(wave);
    expect(forArgo(manifest(apiVersion, kind)).metadata.annotations?.[syncWave]).toBe(String(wave));
  });

  it('stays as its author wrote it', () => {
    const written = manifest('apps/v1', 'Deployment', { [syncWave]: '7' });
    expect(forArgo(written).metadata.annotations?.[syncWave]).toBe('7');
  });
});

describe('sync options', () => {
  const options = (...args: Parameters<typeof manifest>) =>
    forArgo(manifest(...args)).metadata.annotations?.[syncOptions];

  it('keep a CRD from being deleted unasked, and let it outgrow the last-applied annotation', () => {
    expect(options('apiextensions.k8s.io/v1', 'CustomResourceDefinition')).toBe(
      'ServerSideApply=true,Prune=confirm,Delete=confirm',
    );
  });

  it('let a custom resource be synced with its CRD', () => {
    expect(options('flights.com/v1', 'FlightTicket')).toBe('SkipDryRunOnMissingResource=true');
  });

  it('are absent from ordinary objects', () => {
    expect(options('apps/v1', 'Deployment')).toBeUndefined();
  });

  it('of the author come first and win', () => {
    expect(
      options('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { [syncOptions]: 'Prune=false, Replace=true' }),
    ).toBe('Prune=false,Replace=true,ServerSideApply=true,Delete=confirm');
  });

  it('do not change the manifest that was given', () => {
    const given = Object.freeze({ ...manifest('apps/v1', 'Deployment'), metadata: Object.freeze({ name: 'x' }) });
    expect(forArgo(given)).not.toBe(given);
    expect(given.metadata).toEqual({ name: 'x' });
  });
});
