import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { addControl } from './control.js';
import { addDev } from './dev.js';
import { addDrift } from './drift.js';
import { errorText } from './error-text.js';
import type { ExitCode } from './exit-code.js';
import { addImportCrd } from './import-crd.js';
import { addImportK8s } from './import-k8s.js';
import { addMigrate } from './migrate.js';
import type { Terminal } from './terminal.js';
import { addVersion } from './version.js';

/** The exit code when a command was called in a way that it does not know. */
const misused = 2;

/**
 * The command `kilter` with `args`. Resolves with its exit code: 0 for success, 1 for what failed, 2 for wrong usage; of
 * `kilter drift` 1 when there is some, and 2 for what failed.
 *
 * Never rejects: an error is printed, as text or as one line of JSON.
 */
export async function kilter(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command('kilter')
    .description('Kubernetes operators as cdk8s constructs.')
    .addOption(new Option('--log-format <format>', 'how errors are printed').choices(['text', 'json']).default('text'))
    .option('--no-color', 'print without colours, as does the variable NO_COLOR')
    .configureOutput({
      writeOut: (text) => terminal.write(text),
      writeErr: (text) => terminal.log(text),
      // Printed below, in the format that was asked for.
      outputError: () => {},
    })
    .showHelpAfterError(false)
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 it failed, 2 it was called as it cannot be. Those of drift are its own.',
    );
  const exitCode: ExitCode = { ofSuccess: 0, ofFailure: 1 };
  const flags = () => program.opts<{ readonly color?: boolean; readonly logFormat?: string }>();
  const asked: Terminal = {
    ...terminal,
    get colors() {
      const { color = true, logFormat } = flags();
      return color && logFormat !== 'json' && terminal.colors;
    },
  };
  addDev(program, asked);
  addDrift(program, asked, exitCode);
  const imports = program.command('import').description('generate typed constructs');
  addImportK8s(imports, asked);
  addImportCrd(imports, asked);
  addControl(program, asked);
  addMigrate(program, asked);
  addVersion(program, asked);
  refuseNothing(program);
  let refusing = program.name();
  onRefusal(program, refusing, (words) => {
    refusing = words;
  });

  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode.ofSuccess;
  } catch (error) {
    const wrongUsage = error instanceof CommanderError;
    if (wrongUsage && (error.exitCode === 0 || error.code === 'commander.help'))
      return error.exitCode === 0 ? 0 : misused;
    terminal.log(errorText(error, { json: flags().logFormat === 'json', colors: asked.colors, command: refusing }));
    return wrongUsage ? misused : exitCode.ofFailure;
  }
}

/** Has every command that ends, be it that it refuses what it is called with, tell first by which words it is called. */
function onRefusal(command: Command, words: string, tell: (words: string) => void): void {
  command.exitOverride((error) => {
    tell(words);
    throw error;
  });
  for (const each of command.commands) onRefusal(each, `${words} ${each.name()}`, tell);
}

/** Has no command take nothing for a value: a script gives it where a variable is not set, and means another than the usual one. */
function refuseNothing(command: Command): void {
  const refusing =
    <T>(parse: ((text: string, before: T) => T) | undefined) =>
    (text: string, before: T): T | string => {
      if (text === '') throw new InvalidArgumentError('It is empty.');
      return parse ? parse(text, before) : text;
    };
  for (const option of command.options) if (option.required) option.argParser(refusing(option.parseArg));
  for (const argument of command.registeredArguments) argument.argParser(refusing(argument.parseArg));
  for (const each of command.commands) refuseNothing(each);
}
