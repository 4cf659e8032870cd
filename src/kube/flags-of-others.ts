const byLevel = '--log-level says it: debug, info, warn or error';
const byFormat = '--log-format says it: json, or text for people';
const byName = (flag: string): string => `here it is ${flag}`;
const logsGoOut = 'leave it out: logs go to standard output, an object a line';
const byLease = 'leave it out: it is by a Lease always';
const certificate = byName('--webhook-cert-path, a folder with tls.crt and tls.key');

/**
 * Flags that programs of other frameworks take, of controller-runtime and its scaffolds above all, without their dashes, and what
 * is to be done in their place: whoever brings a Deployment of his own along has some of them.
 */
const others: ReadonlyMap<string, string> = new Map([
  ['v', byLevel],
  ['zap-log-level', byLevel],
  ['verbosity', byLevel],
  ['verbose', byLevel],
  ['debug', byLevel],
  ['zap-devel', `${byFormat}; --log-level=debug tells more`],
  ['zap-encoder', byFormat],
  ['log-encoding', byFormat],
  ['logging-format', byFormat],
  ['zap-stacktrace-level', 'leave it out: errors that are mistakes have their stack always'],
  ['zap-time-encoding', 'leave it out: times are as in RFC 3339 always'],
  ['logtostderr', logsGoOut],
  ['alsologtostderr', logsGoOut],
  ['stderrthreshold', logsGoOut],
  ['vmodule', byLevel],
  ['enable-leader-election', byName('--leader-elect')],
  ['leader-election', byName('--leader-elect')],
  ['leader-elect-resource-namespace', byName('--leader-election-namespace')],
  ['leader-elect-resource-name', byName('--leader-election-id')],
  ['leader-elect-resource-lock', byLease],
  ['leader-election-resource-lock', byLease],
  ['leader-election-lease-duration', byName('--leader-elect-lease-duration')],
  ['leader-election-renew-deadline', byName('--leader-elect-renew-deadline')],
  ['leader-election-retry-period', byName('--leader-elect-retry-period')],
  ['leader-election-release-on-cancel', 'leave it out: the Lease is given back always'],
  ['metrics-addr', byName('--metrics-bind-address')],
  ['metrics-address', byName('--metrics-bind-address')],
  ['health-addr', byName('--health-probe-bind-address')],
  ['health-probe-addr', byName('--health-probe-bind-address')],
  ['probe-addr', byName('--health-probe-bind-address')],
  ['webhook-cert-name', certificate],
  ['webhook-cert-key', certificate],
  ['cert-dir', certificate],
  ['enable-webhooks', byName('--webhooks')],
  ['enable-http2', 'leave it out: what is served is served by HTTP/1.1 alone'],
  ['concurrent', byName('--max-concurrent-reconciles')],
  ['concurrency', byName('--max-concurrent-reconciles')],
  ['watch-namespace', byName('--watch-namespaces')],
  ['watch-all-namespaces', 'leave it out: all are watched where --watch-namespaces is not given'],
  ['all-namespaces', 'leave it out: all are watched where --watch-namespaces is not given'],
  ['resync-period', byName('--sync-period')],
  ['master', 'a kubeconfig names the server: --kubeconfig'],
]);

export const flagsOfOthers: readonly string[] = [...others.keys()];

/** What to give in place of `arg`, which the controller does not take; nothing where nobody knows. `flags` are those that it takes. */
export function insteadOf(arg: string, flags: readonly string[]): string | undefined {
  const [, dashes, name = ''] = /^(--?)([^=]+)/.exec(arg) ?? [];
  const own = `--${name}`;
  // Programs in Go take one dash for two.
  if (dashes === '-' && flags.includes(own)) return byName(own);
  return others.get(name);
}
