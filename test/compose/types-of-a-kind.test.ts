import { expect, it } from '@jest/globals';
import { Construct } from 'constructs';
import { ConfigMap, Deployment } from '../../imports/k8s.js';
import { type CustomResourceOf, operator } from '../../src/index.js';
import { Cache } from './a-cache.js';

/** Compiles only where `A` and `B` are the same type. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

it('what compose gets has a type by its kind, for functions of an author beside it', () => {
  const sizeOf = ({ spec }: CustomResourceOf<typeof Cache>) => {
    same<typeof spec.size, number>(true);
    // @ts-expect-error no such field in spec
    expect(spec.sise).toBeUndefined();
    return spec.size;
  };
  expect(sizeOf(Cache.withDefaults({ metadata: { name: 'a' }, spec: { size: 3 } }))).toBe(3);
});

it('among children of two kinds that are made in a loop each has its type, by the beginning of its name', () => {
  const cache = operator(Cache, {
    owns: [ConfigMap, Deployment],
    compose(scope): {
      readonly [page: `page/${string}`]: ConfigMap;
      readonly [server: `server/${string}`]: Deployment;
    } {
      const home = new Construct(scope, 'home');
      return { 'page/a': new ConfigMap(home, 'page'), 'server/a': new Deployment(home, 'default') };
    },
    status(children) {
      same<NonNullable<(typeof children)['page/x']>['data'], Readonly<Record<string, string>> | undefined>(true);
      return { ready: children['server/a']?.status?.readyReplicas ?? 0 };
    },
  });
  const names = cache.desired({ metadata: { name: 'a' }, spec: { size: 1 } }).map(({ metadata }) => metadata.name);
  expect(names).toEqual(['a-home-page', 'a-home']);
});
