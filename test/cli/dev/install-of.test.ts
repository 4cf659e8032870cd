import { expect, it } from '@jest/globals';
import { installOf } from '../../../src/cli/dev/install-of.js';
import { customResource, operator, s } from '../../../src/index.js';

const Thing = customResource({ group: 'x.example.com', version: 'v1', kind: 'Thing', spec: s.object({}) });

it.each([
  ...['BOOKING_URL', 'POD_NAMESPACE', 'POD_NAME', 'LOG_LEVEL', 'ENABLE_WEBHOOKS', 'WATCH_NAMESPACE', 'HTTPS_PROXY'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_PROTOCOL', 'NODE_OPTIONS'],
])('operators that need the setting %s, of which nothing is known here, are installed', (setting) => {
  const thing = operator(Thing, { owns: [], compose() {}, settings: { [setting]: 'What it is for.' } });
  const { manifests } = installOf([thing]);
  expect(manifests.map(({ kind }) => kind)).toContain('CustomResourceDefinition');
});
