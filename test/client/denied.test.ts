import { expect, it } from '@jest/globals';
import { ConfigMap } from '../../imports/k8s.js';
import { ForbiddenError } from '../../src/client/api-error.js';
import { connect } from '../../src/client/http-cluster.js';
import { ScriptedServer, status } from './scripted-server.js';

it.each([401, 404, 409, 410])(
  'a write that a webhook denies with %d is denied, and no more than that',
  async (code) => {
    const server = await ScriptedServer.start();
    const cluster = connect(server.config, { random: () => 0 });
    const message = 'admission webhook "names.example.com" denied the request: this name is taken';
    // What is not authorized is asked again.
    server.answers(status(code, { message }), status(code, { message }));
    const { apiVersion, kind } = ConfigMap;
    const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'default' } };
    await expect(cluster.create(ConfigMap, object, { fieldManager: 'test' })).rejects.toThrow(ForbiddenError);
    await cluster.close();
    await server.stop();
  },
);

it.each([403, 413, 422])("so is one that a policy denies with %d, of which 422 is nobody's choice", async (code) => {
  const server = await ScriptedServer.start();
  const cluster = connect(server.config, { random: () => 0 });
  const message = `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'names' with binding 'all' denied request: no params found`;
  server.answers(status(code, { message }));
  const { apiVersion, kind } = ConfigMap;
  const object = { apiVersion, kind, metadata: { name: 'a', namespace: 'default' } };
  await expect(cluster.create(ConfigMap, object, { fieldManager: 'test' })).rejects.toThrow(ForbiddenError);
  await cluster.close();
  await server.stop();
});
