/** `blockwork serve`: serves a folder of policies until it is asked to stop. */
import { textOption, type CommandInput, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import { start } from '../serve/server.js';
import { readSettings } from '../serve/settings.js';
import { explain } from '../serve/startup-error.js';

export const run: CommandRun = async (input, io) => {
  const stopped = io.stopped();
  const settings = readSettings({ ...io.env, ...settingsOf(input) });
  const say = (line: string): void => {
    if (settings.log !== 'silent') io.print(`${line}\n`);
  };
  const { watchdog, logFormat } = settings;
  const unwatch = watchdog.blockedMs > 0 ? await io.watch?.({ ...watchdog, format: logFormat }) : undefined;
  const server = await start(settings, say, { watches: input.options['watch'] === true }).catch(refuse);
  const signal = await stopped;
  say(`\n${signal}: completing requests in progress ...`);
  await server.close();
  await unwatch?.();
  say('Closed. The next start continues from here.');
  return exitCodes.ok;
};

/** Arguments override environment variables. */
function settingsOf(input: CommandInput): Record<string, string> {
  const [folder] = input.args;
  const [port, data, ledger] = [textOption(input, 'port'), textOption(input, 'data'), textOption(input, 'ledger')];
  const templates = textOption(input, 'templates');
  return {
    ...(folder === undefined ? {} : { BLOCKWORK_POLICIES: folder }),
    ...(port === undefined ? {} : { BLOCKWORK_PORT: port }),
    ...(data === undefined ? {} : { BLOCKWORK_DATA: data }),
    ...(ledger === undefined ? {} : { BLOCKWORK_LEDGER: ledger }),
    ...(templates === undefined ? {} : { BLOCKWORK_TEMPLATES: templates }),
    ...(input.options['sandbox'] === true ? { BLOCKWORK_SANDBOX: 'loopback' } : {}),
  };
}

function refuse(error: unknown): never {
  const reason = explain(error);
  if (reason === undefined) throw error;
  throw new CommandError(exitCodes.unreadable, `not started: ${reason}`, 'NOT_STARTED');
}
