import { describe, expect, it } from '@jest/globals';
import { App } from 'cdk8s';
import { OperatorInstall, type OperatorInstallProps } from '../../src/install/index.js';
import type { Manifest } from '../../src/kube/manifest.js';
import { anOperator } from './an-operator.js';

const rendered = (props: Partial<OperatorInstallProps> = {}) =>
  new OperatorInstall(new App(), 'cache', {
    operators: [anOperator()],
    image: 'cache:1',
    ...props,
  }).toJson() as Manifest[];

describe('an install', () => {
  it.each<[string, Partial<OperatorInstallProps>, string]>([
    ['its namespace', { createNamespace: false }, 'Namespace'],
    ['its definitions', { definitions: false }, 'CustomResourceDefinition'],
  ])('leaves %s to whoever has them, where it is told to, and nothing else', (_, props, left) => {
    expect(rendered().filter(({ kind }) => kind === left)).toHaveLength(1);
    expect(rendered(props)).toEqual(rendered().filter(({ kind }) => kind !== left));
  });
});
