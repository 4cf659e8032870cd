import type { Construct } from 'constructs';
import { customResource, type KubeObject, type Operator, operator, s, TypedObject } from '../../../src/index.js';
import type { ApiResource } from '../../../src/kube/api-resource.js';

/** A manifest of one kind, as the author of an operator would write it. Without a name it gets that of its construct. */
export interface Sample {
  readonly resource: ApiResource;
  readonly body: Readonly<Record<string, unknown>>;
}

/** What is composed for a title and an edition, which is what changes when what is desired does. */
export type Samples = (title: string, edition: number) => Sample | undefined;

const spec = () =>
  s.object({
    titles: s.array(s.string(), { description: 'Which samples are composed.' }),
    edition: s.int32({ default: 0, description: 'Which edition of them.' }),
  });

/** A custom resource whose children are whatever the test says. */
export const Household = customResource({
  group: 'samples.example.com',
  version: 'v1',
  kind: 'Household',
  spec: spec(),
});

/** The same for children that are in no namespace. */
export const ClusterHousehold = customResource({
  group: 'samples.example.com',
  version: 'v1',
  kind: 'ClusterHousehold',
  namespaced: false,
  spec: spec(),
});

/** The same for an operator that has stayed with older versions of the kinds that it owns. */
export const OldHousehold = customResource({
  group: 'samples.example.com',
  version: 'v1',
  kind: 'OldHousehold',
  spec: spec(),
});

export interface SampleOperator {
  readonly name?: string;
  readonly of?: typeof Household;
  readonly owns: readonly ApiResource[];
  readonly samples: Samples;
}

/** An operator of `Household`, or of another kind with the same spec, that composes what `samples` has for its titles. */
export function sampleOperator({ name = 'sampler', of = Household, owns, samples }: SampleOperator): Operator {
  return operator(of, {
    name,
    owns,
    compose(scope, { spec: { titles, edition } }) {
      for (const title of titles) compose(scope, title, samples(title, edition));
    },
  });
}

function compose(scope: Construct, title: string, sample: Sample | undefined): void {
  if (sample) new TypedObject<KubeObject>(scope, idOf(title), sample.resource, sample.body as never);
}

/** A title is a sentence; an id goes into a name. */
export function idOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
