import type { InformerUnderTest, RunningInformer, Shown } from './informer-under-test.js';

/** As its example does: https://github.com/kubernetes-client/javascript/blob/main/examples/typescript/informer/informer.ts */
const restartMilliseconds = 5000;

/** The informer of @kubernetes/client-node; `restarts`: started again after an error, as its example has it. */
export function clientNodeInformer({ restarts }: { readonly restarts: boolean }): InformerUnderTest {
  return {
    title: restarts ? 'client-node, started again on errors' : 'client-node',
    async start({ url, tokenFile, caFile }, { resource, namespace }, tell): Promise<RunningInformer> {
      const { CustomObjectsApi, CoreV1Api, KubeConfig, makeInformer } = await import('@kubernetes/client-node');
      const config = new KubeConfig();
      config.loadFromOptions({
        clusters: [{ name: 'case', server: url, caFile, skipTLSVerify: false }],
        users: [{ name: 'case', authProvider: { name: 'tokenFile', config: { tokenFile } } }],
        contexts: [{ name: 'case', cluster: 'case', user: 'case' }],
        currentContext: 'case',
      });
      const [group = '', version = ''] = resource.apiVersion.includes('/')
        ? resource.apiVersion.split('/')
        : ['', resource.apiVersion];
      const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}/namespaces/${namespace}/${resource.plural}`;
      const list = (): Promise<{ items: object[] }> =>
        group === ''
          ? config.makeApiClient(CoreV1Api).listNamespacedConfigMap({ namespace })
          : config
              .makeApiClient(CustomObjectsApi)
              .listNamespacedCustomObject({ group, version, namespace, plural: resource.plural });
      let isSynced = false;
      let isStopped = false;
      const informer = makeInformer(config, path, list as never);
      informer.on('add', (object) => tell('added', object as Shown));
      informer.on('update', (object) => tell('updated', object as Shown));
      informer.on('delete', (object) => tell('deleted', object as Shown));
      informer.on('connect', () => {
        isSynced = true;
      });
      informer.on('error', () => {
        if (restarts && !isStopped) setTimeout(() => void start(), restartMilliseconds).unref();
      });
      const start = async (): Promise<void> => {
        if (isStopped) return;
        await informer.start().catch(() => {
          if (restarts && !isStopped) setTimeout(() => void start(), restartMilliseconds).unref();
        });
      };
      await start();
      return {
        list: () => informer.list() as readonly Shown[],
        get isSynced() {
          return isSynced;
        },
        async stop() {
          isStopped = true;
          await informer.stop();
        },
      };
    },
  };
}
