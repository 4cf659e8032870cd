import { TerminalError } from '../kube/errors.js';
import type { Json } from '../kube/manifest.js';
import { plainData } from '../resource/plain-data.js';
import { commonStatusFields } from '../resource/status-schema.js';
import { refuseUnfinished } from './refuse-unfinished.js';

/**
 * What an author's `status` returned, as data: fields by their names, none of them kilter's own.
 *
 * Throws `TerminalError` for anything else; `subject` is `Memcached/default/cache status`.
 */
export function statusFields(returned: unknown, subject: string): Readonly<Record<string, Json>> {
  refuseUnfinished(
    returned,
    subject,
    'status is a function of the children, what is read and the custom resource alone: declare what it waits for in reads or external',
  );
  const fields = plainData(returned ?? {}, subject);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new TerminalError(`${subject} is ${Array.isArray(fields) ? 'a list' : `a ${typeof fields}`}`, {
      hint: 'return the fields of the status by their names: { replicas }',
    });
  }
  const taken = commonStatusFields.find((name) => Object.hasOwn(fields, name));
  if (taken !== undefined) {
    throw new TerminalError(`${subject} has ${taken}, which kilter writes`, {
      hint: `every kind has ${commonStatusFields.join(', ')}: give yours another name`,
    });
  }
  return fields as Readonly<Record<string, Json>>;
}
