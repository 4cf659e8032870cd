import { DefinitionError } from '../kube/errors.js';
import { flag, isKind, map, refuseMisshapen, type Shape, text, texts } from '../kube/refuse-misshapen.js';
import { refuseUnknownOptions } from '../kube/unknown-options.js';
import type { OperatorInstallProps } from './install-props.js';
import type { MetricsInstall } from './metrics.js';
import type { WebhooksInstall } from './webhooks.js';
import type { PodRoom } from './workload.js';

const known: Readonly<Record<keyof OperatorInstallProps, true>> = {
  operators: true,
  image: true,
  namespace: true,
  createNamespace: true,
  definitions: true,
  watchNamespaces: true,
  replicas: true,
  room: true,
  args: true,
  env: true,
  metrics: true,
  webhooks: true,
  servicePorts: true,
  apiServerPorts: true,
};

const knownBelow: {
  readonly room: Readonly<Record<keyof PodRoom, true>>;
  readonly metrics: Readonly<Record<keyof MetricsInstall, true>>;
  readonly webhooks: Readonly<Record<keyof WebhooksInstall, true>>;
} = {
  room: { requests: true, limits: true },
  metrics: { serviceMonitor: true, certificateSecret: true },
  webhooks: { certificateSecret: true },
};

const numbers: Shape = {
  words: 'a list of numbers',
  example: '[8080]',
  fits: (value) => Array.isArray(value) && value.every((each) => typeof each === 'number'),
};
const flagOrMap: Shape = {
  words: 'true, false or an object',
  example: 'false',
  fits: (value) => flag.fits(value) || map.fits(value),
};

/** Of the image and the number of replicas what is wrong is told where they are judged. */
const shapes: Readonly<Partial<Record<keyof OperatorInstallProps, Shape>>> = {
  namespace: text,
  createNamespace: flag,
  definitions: flag,
  watchNamespaces: texts,
  room: map,
  args: texts,
  env: map,
  metrics: flagOrMap,
  webhooks: map,
  servicePorts: numbers,
  apiServerPorts: numbers,
};

/** Throws `DefinitionError` for what the compiler says of an install, which in JavaScript nobody asks. */
export function refuseUntypedInstall(id: string, props: OperatorInstallProps): void {
  const subject = `the install "${id}"`;
  refuseUnknownOptions(subject, '', props, known);
  refuseMisshapen(subject, '', props, shapes);
  for (const [name, names] of Object.entries(knownBelow)) {
    const value = props[name as keyof typeof knownBelow];
    if (typeof value === 'object') refuseUnknownOptions(subject, `${name}.`, value, names);
  }
  const operators: unknown = props.operators;
  if (Array.isArray(operators) && operators.every(isOperator)) return;
  throw new DefinitionError(`${subject}: operators is not a list of operators`, {
    hint: 'name those that its controller runs, as operator(Kind, { … }) returns them: operators: [memcached]',
  });
}

function isOperator(value: unknown): boolean {
  const { name, resource, owns } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && isKind(resource) && Array.isArray(owns);
}
