import type { Command } from 'commander';
import { type ConnectionOptions, withCluster, withConnectionOptions } from './connection.js';
import type { Terminal } from './terminal.js';

/** `kilter migrate`: has every object of a kind stored anew, so that older versions of it can be taken out of the definition. */
export function addMigrate(program: Command, terminal: Terminal): void {
  const command = program
    .command('migrate')
    .description('store every object of a kind in its present version, so that older ones can be taken away')
    .argument('<kind>', 'as kubectl has it: memcached, or memcacheds.memcached.cache.example.com');
  withConnectionOptions(command).action(async (kind: string, connection: ConnectionOptions) => {
    const { migrateKind } = await import('./on-cluster.js');
    const migrated = await withCluster(connection, (cluster) => migrateKind(cluster, kind));
    const { definition, to, before, objects, retold } = migrated;
    const others = before.filter((version) => version !== to);
    const told =
      retold === 0 ? '' : `; of ${retold} of its objects another version told who wrote what, and ${to} does now`;
    terminal.write(
      others.length === 0
        ? `CustomResourceDefinition/${definition} has nothing stored but ${to}${told}\n`
        : `CustomResourceDefinition/${definition} has nothing stored but ${to} now: ${objects} ${objects === 1 ? 'object was' : 'objects were'} looked at, of which some were stored as ${others.join(' or ')}\n`,
    );
  });
}
