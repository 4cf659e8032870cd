import { type FieldProblem, problem, problemWithoutValue } from '../../../schema/field-problem.js';
import { dns1035Label, dns1123Subdomain } from '../../../schema/name-formats.js';

/** How objects get from one version to another, as a definition says it. */
export interface ConversionDefinition {
  readonly strategy?: string;
  readonly webhook?: {
    readonly clientConfig?: {
      readonly url?: string;
      readonly service?: {
        readonly namespace?: string;
        readonly name?: string;
        readonly path?: string;
        readonly port?: number;
      };
      readonly caBundle?: string;
    };
    readonly conversionReviewVersions?: readonly string[];
  };
}

const strategies = ['None', 'Webhook'];

/** `isEstablished`: from then on the certificates have to be readable. */
export function conversionProblems(
  conversion: ConversionDefinition | undefined,
  path: string,
  isEstablished: boolean,
): readonly FieldProblem[] {
  if (!conversion) return [];
  const { strategy = '', webhook } = conversion;
  const config = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  const found: FieldProblem[] = [];
  if (strategy === '') found.push(problemWithoutValue('FieldValueRequired', `${path}.strategy`));
  else if (!strategies.includes(strategy)) {
    const detail = `supported values: ${strategies.map((each) => `"${each}"`).join(', ')}`;
    found.push(problem('FieldValueNotSupported', `${path}.strategy`, strategy, detail));
  }
  if (strategy === 'Webhook') {
    found.push(...clientProblems(config, `${path}.webhookClientConfig`, isEstablished));
    found.push(...versionProblems(versions, `${path}.conversionReviewVersions`));
    return found;
  }
  const unwanted = 'should not be set when strategy is not set to Webhook';
  if (config) found.push(problemWithoutValue('FieldValueForbidden', `${path}.webhookClientConfig`, unwanted));
  if (versions.length > 0) {
    found.push(problemWithoutValue('FieldValueForbidden', `${path}.conversionReviewVersions`, unwanted));
  }
  return found;
}

type ClientConfig = NonNullable<NonNullable<ConversionDefinition['webhook']>['clientConfig']>;

function clientProblems(
  config: ClientConfig | undefined,
  path: string,
  isEstablished: boolean,
): readonly FieldProblem[] {
  if (!config) return [problemWithoutValue('FieldValueRequired', path, 'required when strategy is set to Webhook')];
  const { url, service, caBundle } = config;
  const found: FieldProblem[] = [];
  if ((url === undefined) === (service === undefined)) {
    found.push(problemWithoutValue('FieldValueRequired', path, 'exactly one of url or service is required'));
  } else if (url !== undefined) found.push(...urlProblems(url, `${path}.url`));
  else if (service) found.push(...serviceProblems(service, `${path}.service`));
  if (
    caBundle &&
    isEstablished &&
    !Buffer.from(caBundle, 'base64').toString('latin1').includes('-----BEGIN CERTIFICATE-----')
  ) {
    const detail = 'unable to load root certificates: unable to parse bytes as PEM block';
    found.push(problem('FieldValueInvalid', `${path}.caBundle`, caBundle, detail));
  }
  return found;
}

const form = '; desired format: https://host[/path]';

function urlProblems(url: string, path: string): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  const invalid = (value: string, detail: string) => found.push(problem('FieldValueInvalid', path, value, detail));
  const [, scheme = '', host = '', , query = '', fragment = ''] =
    /^(?:([a-zA-Z][-+.a-zA-Z0-9]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/.exec(url) ?? [];
  const [user, address = host] = host.includes('@') ? host.split('@') : [undefined, host];
  if (scheme.toLowerCase() !== 'https') invalid(scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`);
  if (address === '') invalid('', `host must be specified${form}`);
  if (user !== undefined) invalid(user, 'user information is not permitted in the URL');
  if (fragment !== '') invalid(fragment, 'fragments are not permitted in the URL');
  if (query !== '') invalid(query, 'query parameters are not permitted in the URL');
  return found;
}

function serviceProblems(
  { namespace = '', name = '', path: urlPath, port = 443 }: NonNullable<ClientConfig['service']>,
  path: string,
): readonly FieldProblem[] {
  const found: FieldProblem[] = [];
  // The server takes one for the other here, and so names the wrong one.
  if (namespace === '') found.push(problemWithoutValue('FieldValueRequired', `${path}.name`));
  if (name === '') found.push(problemWithoutValue('FieldValueRequired', `${path}.namespace`));
  if (port < 1 || port > 65535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    found.push(problem('FieldValueInvalid', `${path}.port`, port, detail));
  }
  if (urlPath === undefined || urlPath === '' || urlPath === '/') return found;
  const invalid = (detail: string) => found.push(problem('FieldValueInvalid', `${path}.path`, urlPath, detail));
  if (urlPath === '//') {
    invalid('segment[0] may not be empty');
    return found;
  }
  if (!urlPath.startsWith('/')) invalid("must start with a '/'");
  for (const [index, step] of urlPath.slice(1).replace(/\/$/, '').split('/').entries()) {
    if (step === '') invalid(`segment[${index}] may not be empty`);
    else for (const fault of dns1123Subdomain(step)) invalid(`segment[${index}]: ${fault}`);
  }
  return found;
}

function versionProblems(versions: readonly string[], path: string): readonly FieldProblem[] {
  if (versions.length === 0) return [problemWithoutValue('FieldValueRequired', path)];
  const found: FieldProblem[] = [];
  for (const [index, version] of versions.entries()) {
    if (versions.indexOf(version) < index) {
      found.push(problem('FieldValueInvalid', `${path}[${index}]`, version, 'duplicate version'));
      continue;
    }
    for (const fault of dns1035Label(version)) {
      found.push(problem('FieldValueInvalid', `${path}[${index}]`, version, fault));
    }
  }
  if (!versions.some((version) => version === 'v1' || version === 'v1beta1')) {
    found.push(problem('FieldValueInvalid', path, versions, 'must include at least one of v1, v1beta1'));
  }
  return found;
}
