import { describe, expect, it } from '@jest/globals';
import { requestsIn, watchesIn } from './server-metrics.js';

const counted = (verb: string, resource: string, count: number, more = '') =>
  `apiserver_request_total{code="200",dry_run="",resource="${resource}",scope="resource",${more}verb="${verb}",version="v1"} ${count}`;

describe('the requests that the API server counted', () => {
  it('are told apart by what they do, and Events from other writes', () => {
    const metrics = [
      counted('LIST', 'services', 3),
      counted('GET', 'memcacheds', 5),
      counted('POST', 'deployments', 7),
      counted('APPLY', 'memcacheds', 2, 'subresource="status",'),
      counted('PATCH', 'events', 4),
      counted('POST', 'events', 1),
      counted('WATCH', 'services', 90),
      counted('PUT', 'leases', 90),
      'apiserver_flowcontrol_dispatched_requests_total{flow_schema="service-accounts",priority_level="workload-low"} 31',
    ].join('\n');
    expect(requestsIn(metrics)).toEqual({ lists: 3, others: 19, writes: 9, events: 5, ofAccounts: 31 });
  });

  it('are not the watches that are open, of which it counts each kind', () => {
    const open = (resource: string, count: number) =>
      `apiserver_longrunning_requests{group="",resource="${resource}",scope="cluster",verb="WATCH"} ${count}`;
    expect(watchesIn([open('services', 2), open('services', 1), open('pods', 9)].join('\n'))).toEqual([0, 0, 3]);
  });
});
