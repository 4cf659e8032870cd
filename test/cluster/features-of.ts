import { kubernetesVersion } from './kubernetes-version.js';

/** What an API server of some version does, or does not yet: tests that may be run on an older one ask for it. */
export interface Features {
  /** A watch may begin with a list: since 1.34, and in 1.32. https://kep.k8s.io/3157 */
  readonly streamsLists: boolean;
  /** A list has the server look how new it is, and a watch tells of it: since 1.31. https://kep.k8s.io/2340 */
  readonly looksWhenListed: boolean;
}

/** Of `v1.30.14`, by the feature gates that are on in it. Default: of the version of the tests, which has all. */
export function featuresOf(version = kubernetesVersion): Features {
  const minor = Number(version.split('.')[1]);
  return { streamsLists: minor >= 34 || minor === 32, looksWhenListed: minor >= 31 };
}
