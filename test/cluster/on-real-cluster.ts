import { afterAll, beforeAll, describe } from '@jest/globals';
import {
  type ControlPlane,
  type ControlPlaneOptions,
  type RealControlPlane,
  startControlPlane,
} from './control-plane.js';
import { startEmbeddedPlane } from './embedded-plane.js';
import { noCluster } from './no-cluster.js';

/**
 * A suite on a real API server of its own, taken down after it. `plane()` is for use inside tests and hooks.
 *
 * Where there are no binaries and no Go the suite is skipped; `prepare` says so, once for all suites, and fails in CI.
 */
export function onRealCluster(
  title: string,
  options: ControlPlaneOptions,
  body: (plane: () => RealControlPlane) => void,
): void {
  onPlane(title, () => startControlPlane(options), body);
}

/** The same suite on a real API server and on the embedded one, which must not know the difference. */
export function onEveryCluster(
  title: string,
  options: ControlPlaneOptions,
  body: (plane: () => ControlPlane, isReal: boolean) => void,
): void {
  describe.each([
    ['a real API server', startControlPlane],
    ['the embedded API server', startEmbeddedPlane],
  ])('on %s,', (_, start) => {
    onPlane(
      title,
      () => start(options),
      (plane) => body(plane, start === startControlPlane),
    );
  });
}

function onPlane<Plane extends ControlPlane>(
  title: string,
  start: () => Promise<Plane>,
  body: (plane: () => Plane) => void,
): void {
  const suite = noCluster.isSet ? describe.skip : describe;
  suite(title, () => {
    let running: Plane | undefined;
    beforeAll(async () => {
      running = await start();
    });
    afterAll(async () => {
      await running?.stop();
    });
    body(() => {
      if (!running) throw new Error('the control plane is not there yet: use it inside a test or a hook');
      return running;
    });
  });
}
