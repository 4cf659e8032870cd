/**
 * `npm start`: the main job, shown on an API server.
 *
 * Renders, installs and runs the shipped Memcached operator, lets another writer interfere, and shows how long it took
 * until everything was back. Then stays up for whoever wants to try it, or ends with `--once`.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Listr, PRESET_TIMER } from 'listr2';
import { OperatorError } from '../../src/kube/errors.js';
import { current } from './doors/current.js';
import { embedded } from './doors/embedded.js';
import { real } from './doors/real.js';
import { type Programs, Story } from './story.js';
import type { Door } from './story-cluster.js';

const help = `npm start                        shows the story, then stays up until Ctrl-C
npm start -- --once              ends after the story

  --cluster embedded             on an API server in this process, which needs nothing else (the default)
  --cluster real                 on Kubernetes' own API server, built with Go at the first time (about five minutes)
  --cluster current              on the current context of your kubeconfig; asks first
  --yes                          does not ask
`;

/** Beside this program, wherever it was compiled to. */
const programs: Programs = {
  render: join(import.meta.dirname, '../../src/main.js'),
  controller: join(import.meta.dirname, '../../src/controller.js'),
};
/** The exit codes of a call that is not understood, and of one that was interrupted. */
const [misused, interrupted] = [2, 130];

process.exitCode = await main();

async function main(): Promise<number> {
  let options: ReturnType<typeof optionsOf>;
  try {
    options = optionsOf();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    return misused;
  }
  if (options.help) {
    process.stdout.write(help);
    return 0;
  }
  try {
    const door = await doorOf(options);
    return door ? await tell(door, options.once) : 1;
  } catch (error) {
    process.stderr.write(wordsFor(error));
    return 1;
  }
}

function optionsOf() {
  const { values } = parseArgs({
    options: {
      cluster: { type: 'string', default: 'embedded' },
      once: { type: 'boolean', default: false },
      yes: { type: 'boolean', short: 'y', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    } as const,
  });
  if (!['embedded', 'real', 'current'].includes(values.cluster)) {
    throw new TypeError(`There is no cluster "${values.cluster}".`);
  }
  return values;
}

function doorOf({ cluster, yes }: { readonly cluster: string; readonly yes: boolean }): Promise<Door | undefined> {
  if (cluster === 'current') return current({ yes });
  return Promise.resolve(cluster === 'real' ? real : embedded);
}

async function tell(door: Door, once: boolean): Promise<number> {
  const stop = new AbortController();
  const end = () => stop.abort(new Error('interrupted'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  const story = new Story(door, programs, stop.signal);
  let exitCode = 0;
  try {
    await new Listr<void>(
      story.steps().map(({ title, run }) => ({
        title,
        task: async (_, task) => {
          stop.signal.throwIfAborted();
          task.title = await run((progress) => {
            task.output = progress;
          });
        },
      })),
      {
        // Signals are handled here.
        registerSignalListeners: false,
        rendererOptions: { timer: PRESET_TIMER },
        fallbackRenderer: 'simple',
        fallbackRendererOptions: { timer: PRESET_TIMER },
      },
    ).run();
    if (!once) {
      process.stdout.write(story.farewell());
      await aborted(stop.signal);
    }
  } catch (error) {
    exitCode = stop.signal.aborted ? interrupted : 1;
    if (!stop.signal.aborted) process.stderr.write(`\n${wordsFor(error)}${story.evidence()}`);
  }
  try {
    await story.end();
  } catch (error) {
    process.stderr.write(`\nNot everything could be taken away again: ${wordsFor(error)}`);
    exitCode = 1;
  }
  return exitCode;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function wordsFor(error: unknown): string {
  const { message, hint } = error instanceof OperatorError ? error : { message: String(error), hint: undefined };
  return `${message}\n${hint === undefined ? '' : `  hint: ${hint}\n`}`;
}
