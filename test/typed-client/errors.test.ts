import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import * as ofTheClient from '../../src/client/api-error.js';
import * as kubeErrors from '../../src/kube/errors.js';
import { Memcached } from '../../src/operators/memcached.js';
import * as exported from '../../src/typed-client/index.js';
import { packageRoot } from '../cluster/package-root.js';

const classes = Object.entries(ofTheClient).filter(([name]) => /^[A-Z]/.test(name));

describe('the errors of kilter/client', () => {
  it('are all that a call can fail with, each a value to compare with', () => {
    expect(classes.length).toBeGreaterThan(10);
    expect(exported).toMatchObject(Object.fromEntries(classes));
    expect(exported.OperatorError).toBe(kubeErrors.OperatorError);
  });

  it('have each its place in the page, by what a caller does', () => {
    const page = readFileSync(join(packageRoot, 'docs/client.md'), 'utf8');
    const names = [...classes.map(([name]) => name), 'OperatorError'];
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it.each<[string, Parameters<typeof exported.connect>]>([
    ['a kubeconfig that is not there', [{}, { kubeconfig: '/nowhere/kubeconfig' }]],
    ['a Pod whose account has no token', [{ KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }]],
  ])('are thrown by who connects by %s', async (_, [environment, choice]) => {
    await expect(exported.connect(environment, choice)).rejects.toThrow(exported.OperatorError);
  });

  it('are thrown in words for what is left out where no compiler asks for it', async () => {
    const { connect, client } = exported as unknown as Record<string, (...args: unknown[]) => unknown>;
    await expect(connect?.()).rejects.toThrow(
      new exported.OperatorError('connecting needs an environment', {
        hint: 'hand one in: await connect(process.env)',
      }),
    );
    for (const options of [[], [{}], [{ manager: '' }]])
      expect(() => client?.(Memcached, {}, ...options)).toThrow('a client of Memcached has no manager');
  });
});
