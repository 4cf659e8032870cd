import type { Address } from '../api-server.js';
import type { Draft } from '../draft.js';
import { badRequest } from '../status-error.js';

/** A body must be about the object that the address names. */
export function checkName({ metadata }: Draft, { name }: Address): void {
  const said = metadata.name ?? '';
  if (said === '')
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (said !== name) throw badRequest(`the name of the object (${said}) does not match the name on the URL (${name})`);
}
