import { describe } from '@jest/globals';
import { EmbeddedServer } from '../../src/embedded/embedded-server.js';
import { clusterContract } from '../client/cluster-contract.js';

describe('the embedded API server, without a socket', () => {
  const server = new EmbeddedServer({ controllers: false });
  clusterContract(() => server.cluster());
});
