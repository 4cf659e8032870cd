import type { WebhookClientConfig } from '../../../imports/k8s.js';
import { dns1123Subdomain } from '../../schema/name-formats.js';
import { portNumber } from './port-formats.js';
import type { Problems } from './problems.js';
import type { Unchecked } from './unchecked.js';

type Client = Unchecked<WebhookClientConfig>;

const form = '; desired format: https://host[/path]';

/** What is wrong with where a webhook is. */
export function webhookClientProblems(found: Problems, path: string, { url, service }: Client): void {
  if ((url === undefined) === (service === undefined)) {
    found.required(path, 'exactly one of url or service is required');
  } else if (url !== undefined) urlProblems(found, `${path}.url`, url);
  else if (service !== undefined) serviceProblems(found, `${path}.service`, service);
}

function urlProblems(found: Problems, path: string, url: string): void {
  const [, scheme = '', authority = '', , query, fragment] =
    /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(url) ?? [];
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  if (scheme.toLowerCase() !== 'https') {
    found.invalid(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`);
  }
  if (host === '') found.invalid(path, host, `host must be specified${form}`);
  if (at >= 0) found.invalid(path, authority.slice(0, at), 'user information is not permitted in the URL');
  if (fragment) found.invalid(path, fragment, 'fragments are not permitted in the URL');
  if (query) found.invalid(path, query, 'query parameters are not permitted in the URL');
}

function serviceProblems(found: Problems, path: string, service: NonNullable<Client['service']>): void {
  const { name = '', namespace = '', path: urlPath = '', port = 443 } = service;
  // The server has the two the wrong way round.
  if (namespace === '') found.required(`${path}.name`);
  if (name === '') found.required(`${path}.namespace`);
  const bad = portNumber(port);
  if (bad.length > 0) found.invalid(`${path}.port`, port, `port is not valid: ${bad.join(', ')}`);
  if (urlPath === '' || urlPath === '/') return;
  const at = `${path}.path`;
  if (urlPath === '//') {
    found.invalid(at, urlPath, 'segment[0] may not be empty');
    return;
  }
  if (!urlPath.startsWith('/')) found.invalid(at, urlPath, "must start with a '/'");
  urlPath
    .slice(1)
    .replace(/\/$/, '')
    .split('/')
    .forEach((step, index) => {
      if (step === '') found.invalid(at, urlPath, `segment[${index}] may not be empty`);
      else for (const message of dns1123Subdomain(step)) found.invalid(at, urlPath, `segment[${index}]: ${message}`);
    });
}
