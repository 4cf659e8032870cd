import type { Volume } from '../../../../imports/k8s.js';
import type { Problems } from '../problems.js';
import type { Unchecked } from '../unchecked.js';

export type Source<Field extends keyof Volume> = NonNullable<Unchecked<Volume>[Field]>;

/** What a check of a volume's source may look at. */
export interface VolumeContext {
  /** True in a Pod, false in a template of Pods. */
  readonly isPod: boolean;
  /** The Pod's name, which no template has. */
  readonly podName?: string;
  readonly volumeName: string;
}

/** How one kind of source is judged. The server has the path of the second one not always right, and clients know it so. */
export interface SourceRule {
  readonly field: keyof Volume;
  /** Under which name a second source is refused, where it is another than the field's. */
  readonly refusedAs?: string;
  check(found: Problems, path: string, volume: Unchecked<Volume>, context: VolumeContext): void;
}
