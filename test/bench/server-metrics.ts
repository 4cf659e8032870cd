/** What the API server counts: https://kubernetes.io/docs/reference/instrumentation/metrics/ */

export interface Requests {
  readonly lists: number;
  readonly others: number;
  /** Of the others those that write, whether they change anything or not; Events left out. */
  readonly writes: number;
  readonly events: number;
  /**
   * All of service accounts, watches too. The API server itself lists Services every three minutes, to see that node ports
   * are given once.
   */
  readonly ofAccounts: number;
}

const ofAccounts = /^apiserver_flowcontrol_dispatched_requests_total\{.*flow_schema="service-accounts"/;

export function requestsIn(metrics: string): Requests {
  const sum = (lines: readonly string[]) =>
    lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0);
  const counters = metrics
    .split('\n')
    .filter((line) => /^apiserver_request_total\{.*resource="(memcacheds|deployments|services|pods|events)"/.test(line))
    .filter((line) => !/verb="(WATCH|CONNECT)"/.test(line));
  const isList = (line: string) => line.includes('verb="LIST"');
  const isOfEvents = (line: string) => line.includes('resource="events"');
  const writes = counters.filter((line) => !/verb="(GET|LIST)"/.test(line));
  return {
    lists: sum(counters.filter(isList)),
    others: sum(counters.filter((line) => !isList(line))),
    writes: sum(writes.filter((line) => !isOfEvents(line))),
    events: sum(writes.filter(isOfEvents)),
    ofAccounts: sum(metrics.split('\n').filter((line) => ofAccounts.test(line))),
  };
}

/** Open watches of the custom resources, the Deployments and the Services. */
export function watchesIn(metrics: string): number[] {
  const open = metrics.split('\n').filter((line) => /^apiserver_longrunning_requests\{.*verb="WATCH"/.test(line));
  return ['memcacheds', 'deployments', 'services'].map((resource) =>
    open
      .filter((line) => line.includes(`resource="${resource}"`))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0),
  );
}
