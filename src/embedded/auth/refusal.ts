import { goQuote } from '../../schema/go-format.js';
import type { Caller } from '../api-server.js';
import { forbidden, StatusError } from '../status-error.js';
import { type Action, isPath } from './policy-rule.js';

/** That `caller` may not, in the words of the server. */
export function refusal(caller: Caller, action: Action, reason: string): StatusError {
  const because = `${escaped(message(caller, action))}${reason === '' ? '' : `: ${reason}`}`;
  if (!isPath(action)) return forbidden({ group: action.group, name: action.resource }, action.name ?? '', because);
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `forbidden: ${because}`,
    reason: 'Forbidden',
    details: {},
    code: 403,
  } as StatusError['status']);
}

function message({ name: user }: Caller, action: Action): string {
  const who = `User ${goQuote(user)} cannot ${action.verb}`;
  if (isPath(action)) return `${who} path ${goQuote(action.path)}`;
  const { group, resource, subresource, namespace } = action;
  const what = `resource ${goQuote(subresource ? `${resource}/${subresource}` : resource)} in API group ${goQuote(group)}`;
  const where = namespace ? `in the namespace ${goQuote(namespace)}` : 'at the cluster scope';
  return `${who} ${what} ${where}`;
}

/** The server lets nothing through that a browser might take for HTML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
