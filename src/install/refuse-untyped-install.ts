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

const shapesBelow: {
  readonly room: Readonly<Record<keyof PodRoom, Shape>>;
  readonly metrics: Readonly<Record<keyof MetricsInstall, Shape>>;
  readonly webhooks: Readonly<Record<keyof WebhooksInstall, Shape>>;
} = {
  room: { requests: map, limits: map },
  metrics: { serviceMonitor: flag, certificateSecret: text },
  webhooks: { certificateSecret: text },
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
  for (const [name, below] of Object.entries(shapesBelow)) {
    const value = props[name as keyof typeof shapesBelow];
    if (typeof value !== 'object') continue;
    refuseUnknownOptions(subject, `${name}.`, value, below);
    refuseMisshapen(subject, `${name}.`, value, below);
  }
  // As from a variable of the environment that is not set.
  if (props.webhooks && props.webhooks.certificateSecret === undefined) {
    throw new DefinitionError(`${subject}: webhooks.certificateSecret is missing`, {
      hint: 'name the Secret that has it, or leave webhooks out: the controller makes one then',
    });
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
