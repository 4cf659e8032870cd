import { setMaxListeners } from 'node:events';
import { systemClock } from '../../src/kube/clock.js';
import { type Controller, type ControllerOptions, runController } from '../../src/runtime/run-controller.js';

/** A controller that was launched. */
export interface Launched {
  readonly isIdle: boolean;
  /** Absent: nobody can look into its stores. */
  readonly informers?: Controller['informers'];
  /** Resolves when its stores are filled. */
  synced(): Promise<void>;
  stop(): Promise<void>;
}

/** The production controller, in this process, on the time of this machine. */
export function launchController(
  options: Partial<ControllerOptions> & Pick<ControllerOptions, 'cluster' | 'log' | 'operators'>,
): Launched {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const defaults = { clock: systemClock, random: Math.random, maxConcurrentReconciles: 8 };
  const controller = runController({ ...defaults, ...options }, stop.signal);
  return {
    informers: controller.informers,
    get isIdle() {
      return controller.isIdle;
    },
    synced: () => controller.synced(),
    stop() {
      stop.abort(new Error('stopped by the test'));
      return controller.stopped;
    },
  };
}
