/** The controller of a kind of several versions, as its author's entry would be. */
import { ConfigMap } from '../../imports/k8s.js';
import { operator } from '../../src/index.js';
import { runOperators } from '../../src/program/run-operators.js';
import { Vault } from '../resource/a-guarded-kind.js';
import { Cache } from '../resource/a-kind-of-versions.js';

const cache = operator(Cache, {
  owns: [ConfigMap],
  compose(scope, { spec: { size, image } }) {
    new ConfigMap(scope, 'map', { data: { size: String(size), image } });
  },
});

const vault = operator(Vault, { owns: [], compose() {} });

process.exitCode = await runOperators([cache, vault]);
