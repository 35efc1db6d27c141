/** The server as a process: reads the environment, starts, waits to be stopped, and ends with an exit code. */
import { readSettings } from './settings.js';
import { start } from './server.js';
import { explain } from './startup-error.js';
import { stopSignal } from './stop-signal.js';

const stopped = stopSignal();
try {
  const server = await start(readSettings(process.env), console.log);
  const signal = await stopped;
  console.log(`\n${signal}: answering what is under way ...`);
  await server.close();
  console.log('Closed. The next start goes on from here.');
} catch (error) {
  const reason = explain(error);
  console.error(reason === undefined ? error : `\nNot started: ${reason}`);
  process.exitCode = 1;
}
