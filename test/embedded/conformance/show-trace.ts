import type { Operation } from './operation.js';
import type { Run } from './run-trace.js';

/** One operation, as a line: `apply deployments/a by alice {…}`. */
export function showOperation({ verb, resource, namespace, name, subresource, patch, body, query }: Operation): string {
  const { fieldManager, ...rest } = query ?? {};
  const plural = resource.slice(resource.lastIndexOf('/') + 1);
  const version = /(alpha|beta)\d*\/[^/]+$/.test(resource) ? ` (${resource.split('/').at(-2)})` : '';
  const words = [
    verb === 'patch' ? (patch === 'apply' ? 'apply' : `patch (${patch})`) : verb,
    [plural, name, subresource].filter((part) => part !== undefined).join('/') + version,
    namespace === undefined || namespace === '{ns}' ? '' : `in ${namespace}`,
    fieldManager === undefined ? '' : `by ${JSON.stringify(fieldManager)}`.replace(/"(\w+)"/, '$1'),
    new URLSearchParams(rest).size > 0 ? `?${decodeURIComponent(new URLSearchParams(rest).toString())}` : '',
    body === undefined ? '' : JSON.stringify(body),
  ];
  return words.filter((word) => word !== '').join(' ');
}

export function showStory(operations: readonly Operation[], codes: Run['codes']): string {
  return operations
    .map((operation) => {
      const both = codes.get(operation.id);
      const answer = both
        ? both.here === both.there
          ? `${both.here}`
          : `${both.here} here, ${both.there} there`
        : 'not reached';
      return `  ${operation.id}. ${showOperation(operation)} → ${answer}`;
    })
    .join('\n');
}
