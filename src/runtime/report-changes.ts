import { type ChangeSet, hasWrites, showChange } from '../drift/change-set.js';
import { showDifference } from '../drift/difference.js';
import type { KubeObject } from '../kube/manifest.js';
import type { Events } from './events.js';
import type { Log } from './log.js';
import type { ControllerTelemetry } from './telemetry.js';

interface Report {
  readonly reasons: readonly string[];
  readonly cr: KubeObject;
  readonly log: Log;
  readonly events: Events;
  readonly telemetry: ControllerTelemetry;
}

/** Tells the log, the events and the metrics what a reconcile did. */
export function reportChanges(changes: ChangeSet, { reasons, cr, log, events, telemetry }: Report): void {
  for (const entry of changes) {
    if (entry.action !== 'unchanged' || entry.reported) telemetry.changed(entry);
  }
  if (!hasWrites(changes)) return;
  log.info('Reconciled', {
    reasons,
    changes: changes.filter(({ action }) => action !== 'unchanged').map(showChange),
  });
  for (const { ref, drift = [] } of changes) {
    if (drift.length === 0) continue;
    const fields = drift.map(showDifference);
    log.info('Corrected drift', { child: `${ref.kind}/${ref.name}`, fields });
    events.normal(cr, 'DriftCorrected', `${ref.kind}/${ref.name}: ${fields.join(', ')}`);
  }
}
