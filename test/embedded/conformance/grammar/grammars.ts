import { autoscaling } from './autoscaling.js';
import { batch } from './batch.js';
import { coordination } from './coordination.js';
import { core } from './core.js';
import { custom } from './custom.js';
import { definitions } from './definitions.js';
import type { KindGrammar } from './kind-grammar.js';
import { networking } from './networking.js';
import { dryKinds, otherKinds } from './other-kinds.js';
import { pods } from './pods.js';
import { policy } from './policy.js';
import { rbac } from './rbac.js';
import { services } from './services.js';
import { storage } from './storage.js';
import { workloads } from './workloads.js';

export const grammars: readonly KindGrammar[] = [
  ...core,
  ...services,
  ...storage,
  ...pods,
  ...workloads,
  ...batch,
  ...autoscaling,
  ...networking,
  ...policy,
  ...rbac,
  ...coordination,
  ...custom,
  ...definitions,
];

const byResource = new Map([...grammars, ...otherKinds, ...dryKinds].map((grammar) => [grammar.resource, grammar]));

export function grammarOf(resource: string): KindGrammar | undefined {
  return byResource.get(resource);
}
