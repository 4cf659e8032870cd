import { type ApiObject, App, Chart } from 'cdk8s';
import { type IConstruct, Node } from 'constructs';
import { TerminalError } from '../kube/errors.js';
import { childName, telling } from './child-name.js';
import { labelValue } from './label-value.js';

/** Whose children are composed. */
export interface Parent {
  readonly operator: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/**
 * Where `compose` creates children: a chart that names and labels them after the custom resource.
 *
 * An App of its own, because cdk8s looks at the whole App whenever it looks at a part. Its id holds the custom
 * resource's name, since cdk8s-plus derives the selectors of pods from the path, and those of two must differ.
 */
export class CompositionScope extends Chart {
  readonly #parent: Parent;
  readonly #depth: number;

  constructor(parent: Parent) {
    const { operator, name, namespace } = parent;
    super(new App(), `${namespace ?? ''}:${name}`, {
      ...(namespace === undefined ? {} : { namespace }),
      labels: {
        'app.kubernetes.io/name': operator,
        'app.kubernetes.io/part-of': labelValue(name),
        'app.kubernetes.io/managed-by': operator,
        'app.kubernetes.io/created-by': 'kilter',
      },
    });
    this.#parent = parent;
    this.#depth = Node.of(this).scopes.length;
  }

  /** The ids on the way from here to a construct. */
  idsOf(construct: IConstruct): readonly string[] {
    return construct.node.scopes.slice(this.#depth).map(({ node }) => node.id);
  }

  /** Labels that differ between children. */
  labelsOf(construct: IConstruct): Readonly<Record<string, string>> {
    const ids = telling(this.idsOf(construct));
    return ids.length === 0 ? {} : { 'app.kubernetes.io/component': labelValue(ids.join('-')) };
  }

  /**
   * From now on whatever is made in it throws a `TerminalError`: what comes too late, as by a promise that nobody waits for, would be lost
   * without a word, and what was there of it be pruned. `subject` is whose children they are: `Memcached/default/cache`.
   */
  close(subject: string): void {
    const refuse = (): never => {
      throw new TerminalError(`${subject} is composed already, and takes no more children`, {
        hint: 'make children in the scope that compose is handed, before it returns',
      });
    };
    // What constructs ask of it and of all around it before they take a child: their own words would be about synthesis.
    Object.defineProperty(this.node, 'locked', { get: refuse });
  }

  override generateObjectName(object: ApiObject): string {
    return childName(this.#parent.name, this.idsOf(object), object.kind);
  }
}
