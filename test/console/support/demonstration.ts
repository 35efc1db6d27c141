/** What `npm start` serves, in this process: the example policies with their people, and the address that opens the console as all of them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '@blockwork/cli';

const policies = fileURLToPath(new URL('../../../examples/serve/policies', import.meta.url));

export interface Demonstration {
  /** With the one-time code. */
  readonly address: string;
  close(): Promise<void>;
}

export async function openDemonstration(): Promise<Demonstration> {
  const folder = await mkdtemp(join(tmpdir(), 'blockwork-demonstration-'));
  let printed: (text: string) => void = () => undefined;
  const address = new Promise<string>((resolve) => {
    printed = (text) => {
      const [url] = /http:\S+\/console\/#code=\S+/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    };
  });
  let stop: () => void = () => undefined;
  const stopped = new Promise<string>((resolve) => (stop = () => resolve('SIGINT')));
  const ended = runCommandLine(['serve', policies], {
    print: printed,
    write: async (text) => printed(text),
    printError: printed,
    input: Readable.from([]),
    env: { BLOCKWORK_DATA: join(folder, 'data'), BLOCKWORK_PORT: '0', BLOCKWORK_LOG: 'error' },
    isInteractive: false,
    stopped: () => stopped,
  });
  return {
    address: await address,
    close: async () => {
      stop();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
