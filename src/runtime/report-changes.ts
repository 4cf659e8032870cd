import { type ChangeSet, type ChangeSetEntry, hasWrites, showChange } from '../drift/change-set.js';
import { type Difference, showDifference, showTimedDifference } from '../drift/difference.js';
import { showFight } from '../drift/fights.js';
import type { KubeObject } from '../kube/manifest.js';
import { keyOf, refOf } from '../kube/object-ref.js';
import { type Drifted, driftMessage } from './children/drift-message.js';
import type { ChildsFight } from './children/fight-record.js';
import type { ToldDrift } from './children/told-drift.js';
import type { ToldWarnings } from './children/told-warnings.js';
import { driftShownBy } from './status/own-status.js';
import type { Events } from './telemetry/events.js';
import type { Log } from './telemetry/log.js';
import type { ControllerTelemetry } from './telemetry/telemetry.js';
import { withinBytes } from './telemetry/within-bytes.js';

/** Refusals quote what somebody wrote, and who collects a log splits or drops lines that are too long. */
const longestChangeBytes = 1024;
/** Of a thousand children, or of a thousand fields, one line does not tell either. */
const longestLineBytes = 8192;

const ofAnotherVersion =
  'this API server is of a version, or has feature gates, in which they do nothing, or a webhook or policy takes them away: leave ' +
  'them out, or run it with what they need';

/** Of which custom resource is told, and whom. */
interface About {
  readonly key: string;
  readonly cr: KubeObject;
  readonly log: Log;
  readonly events: Events;
  readonly telemetry: ControllerTelemetry;
}

export interface Report extends About {
  readonly reasons: readonly string[];
  /** What has turned out to be a fight. */
  readonly begun: readonly ChildsFight[];
  readonly warned: ToldWarnings;
}

/** What was told before of drift that is left alone, of children and of what is outside. */
export interface Told {
  readonly inside: ToldDrift;
  readonly outside: ToldDrift;
}

/** Tells the log, the events and the metrics what was found for the first time, and is left alone: `drifted` as the status has it. */
export function reportDrift(
  found: Readonly<Record<keyof Told, ChangeSet>>,
  drifted: Drifted,
  told: Told,
  about: About,
): void {
  const { key, cr, log, events, telemetry } = about;
  // News for the log of this process alone, where the status says the same, which a process before has told.
  const isShown = told.inside.begins(key) && driftShownBy(cr) === driftMessage(drifted);
  for (const where of ['inside', 'outside'] as const) {
    for (const { ref, reported = [] } of ofChildren(found[where], cr)) {
      if (!told[where].isNews(key, { ref, reported })) continue;
      const entry: ChangeSetEntry = { ref, action: 'unchanged', reported };
      telemetry.changed(entry);
      const child = `${ref.kind}/${ref.name}`;
      for (const fields of fieldsInLines(reported)) log.info('Detected drift', { child, fields });
      if (isShown) continue;
      events.normal(cr, 'DriftDetected', noteOf(entry, reported, showTimedDifference), noteOf(entry, reported));
    }
  }
}

/** What failed before any child had its turn is said of the custom resource, which is no child. */
function ofChildren(changes: ChangeSet, cr: KubeObject): ChangeSet {
  const own = keyOf(refOf(cr));
  return changes.filter(({ ref }) => keyOf(ref) !== own);
}

/** Tells the log, the events and the metrics what a reconcile did. */
export function reportChanges(changes: ChangeSet, report: Report): void {
  const { reasons, cr, log, events, telemetry, begun, warned } = report;
  for (const { reported: _, ...entry } of ofChildren(changes, cr)) {
    if (entry.action !== 'unchanged') telemetry.changed(entry);
  }
  reportWrites(changes, log, reasons);
  for (const entry of changes) {
    const { ref, drift = [], warnings = [], dropped = [] } = entry;
    for (const warning of warnings) {
      if (warned.isNews(ref.kind, warning))
        log.warn('Heard a warning from the API server', { child: `${ref.kind}/${ref.name}`, warning });
    }
    if (dropped.length > 0 && warned.isNews(ref.kind, `dropped ${dropped.join()}`)) {
      const about = { child: `${ref.kind}/${ref.name}`, hint: ofAnotherVersion };
      for (const fields of inLines(dropped)) log.warn('The API server dropped fields of a child', { ...about, fields });
    }
    if (entry.action === 'adopted') events.normal(cr, 'Adopted', `${ref.kind}/${ref.name} was there, and nobody's`);
    if (drift.length === 0) continue;
    const child = `${ref.kind}/${ref.name}`;
    for (const fields of fieldsInLines(drift)) log.info('Corrected drift', { child, fields });
    events.normal(cr, 'DriftCorrected', noteOf(entry, drift, showTimedDifference), noteOf(entry, drift));
  }
  for (const { ref, fight } of begun) {
    telemetry.fought(ref.kind);
    const text = `${ref.kind}/${ref.name} ${showFight(fight)}`;
    log.warn('Detected a fight', { child: `${ref.kind}/${ref.name}`, over: showFight(fight) });
    events.warn(cr, 'FightDetected', `${text}; it is put back less and less often from now on`);
  }
}

/** Tells the log what was written, if anything was, and what was left out beside it. */
export function reportWrites(changes: ChangeSet, log: Log, reasons: readonly string[]): void {
  if (!hasWrites(changes)) return;
  const written = changes.filter(({ action }) => action !== 'unchanged');
  for (const some of inLines(written.map(shortly))) log.info('Reconciled', { reasons, changes: some });
}

function fieldsInLines(differences: readonly Difference[]): readonly (readonly string[])[] {
  return inLines(differences.map((difference) => withinBytes(showDifference(difference), longestChangeBytes)));
}

/** In as many lines as they take. */
function inLines(words: readonly string[]): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let left = 0;
  for (const word of words) {
    const bytes = Buffer.byteLength(word);
    if (lines.length === 0 || bytes > left) {
      lines.push([]);
      left = longestLineBytes;
    }
    lines.at(-1)?.push(word);
    left -= bytes;
  }
  return lines;
}

/** What a server says of a child may fill pages, and a line of the log holds many children. */
function shortly(entry: ChangeSetEntry): string {
  return withinBytes(showChange(entry), longestChangeBytes);
}

/** The same for the same drift, unless it tells the times of writes. */
function noteOf({ ref }: ChangeSetEntry, differences: readonly Difference[], show = showDifference): string {
  return `${ref.kind}/${ref.name}: ${differences.map(show).join(', ')}`;
}
