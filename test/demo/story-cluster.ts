import type { ClusterConfig } from '../../src/client/cluster-config.js';

/** A cluster to tell the story on. Where it came from is not for the story to know. */
export interface StoryCluster {
  /** `at https://127.0.0.1:6443`, and whatever else tells it from others. */
  readonly where: string;
  /** As whoever runs the story. */
  readonly config: ClusterConfig;
  /** What to type before kubectl asks this cluster. */
  readonly setup: readonly string[];
  /** Hands it back, or ends it where it was made for the story. */
  close(): Promise<void>;
}

/** A way to come by a cluster. */
export interface Door {
  readonly title: string;
  /** `folder` is for files, and is removed after `close`. */
  open(folder: string, progress: (line: string) => void): Promise<StoryCluster>;
}
