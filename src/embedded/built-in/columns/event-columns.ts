import type { EventObject } from '../../../../imports/k8s.js';
import type { KubeObject } from '../../../kube/manifest.js';
import type { Draft } from '../../draft.js';
import { eventConversion } from '../event-conversion.js';
import { type Columns, column, since, wide } from './column.js';

const name = column<KubeObject>('Name', ({ metadata }) => metadata.name, { isWide: true, format: 'name' });

/** The name comes last, and the age is that of what is told. */
export const eventColumns: Columns = {
  columns: [
    column<EventObject>('Last Seen', (event, now) => {
      const { series, lastTimestamp } = event;
      if (series) return since(series.lastObservedTime, now);
      return lastTimestamp ? since(lastTimestamp, now) : firstSeen(event, now);
    }),
    column<EventObject>('Type', ({ type }) => type ?? ''),
    column<EventObject>('Reason', ({ reason }) => reason ?? ''),
    column<EventObject>('Object', ({ involvedObject }) =>
      [(involvedObject.kind ?? '').toLowerCase(), involvedObject.name].filter((part) => part !== undefined).join('/'),
    ),
    column<EventObject>('Subobject', ({ involvedObject }) => involvedObject.fieldPath ?? '', wide),
    column<EventObject>(
      'Source',
      ({ source, reportingComponent, reportingInstance }) => {
        const host = source?.host || reportingInstance;
        return `${source?.component || reportingComponent || ''}${host ? `, ${host}` : ''}`;
      },
      wide,
    ),
    column<EventObject>('Message', ({ message }) => (message ?? '').trim()),
    column<EventObject>('First Seen', firstSeen, wide),
    column<EventObject>('Count', ({ series, count }) => (series ? (series.count ?? 0) : count || 1), wide),
    name,
  ],
  addsAge: false,
};

function firstSeen({ firstTimestamp, eventTime }: EventObject, now: number): string {
  return since(firstTimestamp ?? eventTime, now);
}

/** The same of an Event of the other group. */
export const newerEventColumns: Columns = {
  ...eventColumns,
  columns: eventColumns.columns.map((each) => ({
    ...each,
    cell: (event, now) => each.cell(olderOf(event), now),
  })),
};

function olderOf(event: KubeObject): KubeObject {
  return eventConversion.toStored(event as unknown as Draft) as unknown as KubeObject;
}
