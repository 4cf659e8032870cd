/**
 * `npm start`: the main job, shown on a real API server.
 *
 * Renders, installs and runs the shipped Memcached operator, lets another writer interfere, and shows how long it took
 * until everything was back. Then stays up for whoever wants to try it, or ends with `--once`.
 */
import { parseArgs } from 'node:util';
import { Listr, PRESET_TIMER } from 'listr2';
import { Story } from './story.js';

const { values: options } = parseArgs({
  options: {
    once: { type: 'boolean', default: false, description: 'end after the story' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const,
});

if (options.help) {
  process.stdout.write(
    'npm start            shows the story, then stays up until Ctrl-C\nnpm start -- --once  ends after the story\n',
  );
} else {
  process.exitCode = await main(options.once);
}

async function main(once: boolean): Promise<number> {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort(new Error('interrupted')));
  process.once('SIGTERM', () => stop.abort(new Error('interrupted')));
  const story = new Story(stop.signal);

  try {
    await new Listr<void>(
      story.steps().map(({ title, run }) => ({
        title,
        task: async (_, task) => {
          task.title = await run((progress) => {
            task.output = progress;
          });
        },
      })),
      {
        rendererOptions: { timer: PRESET_TIMER },
        fallbackRenderer: 'simple',
        fallbackRendererOptions: { timer: PRESET_TIMER },
      },
    ).run();
    if (!once) {
      process.stdout.write(story.farewell());
      await new Promise((resolve) => stop.signal.addEventListener('abort', resolve, { once: true }));
    }
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return 130;
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n${story.evidence()}`);
    return 1;
  } finally {
    await story.end();
  }
}
