/** Addresses with credentials that somebody types in the wrong place: no text of the command line repeats the password. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { run } from './support/run.js';

const newFolder = temporaryFolders();
const address = 'postgres://admin:hidden@127.0.0.1:1/shop?password=hidden';
const server = 'http://admin:hidden@127.0.0.1:1/engine';
const mistyped = 'postgress://admin:hidden@127.0.0.1:1/shop';

it.each([
  ['an address that nobody answers at', ['inspect', server, '--token', 'some']],
  ['a database where a folder is read', ['inspect', address]],
  ['a database where a policy is read', ['validate', address]],
  ['a database where a script is read', ['test', address]],
  ['a database where a file is drawn', ['graph', address]],
  ['a database where blocks are explained', ['explain', address, 'root', '--as', 'owner']],
  ['a database where files are compared', ['diff', address, address]],
  ['a database where a folder is packed', ['pack', address, 'archive.policy']],
  ['a database where an archive is unpacked', ['unpack', address, 'folder']],
  ['a database where policies are served', ['serve', address]],
  ['a scheme that nothing has', ['store', 'verify', mistyped]],
  ['a database that nobody answers at', ['store', 'verify', address]],
  ['a source that nobody answers at', ['store', 'copy', address, 'target']],
  ['a command that there is not', [address]],
  ['an option that there is not', ['inspect', `--database=${address}`]],
  ['an argument too many', ['token', 'anna', address]],
  ['a choice that there is not', ['graph', 'file', '--format', address]],
])('is not repeated: %s', async (_, argv) => {
  const folder = await newFolder();
  const env = { BLOCKWORK_DATA: join(folder, 'data'), BLOCKWORK_DATABASE_PATIENCE_MS: '1', BLOCKWORK_PORT: '0' };
  for (const line of [argv, [...argv, '--json']]) {
    const { code, out, err } = await run(line, { env });
    expect(code, out + err).not.toBe(0);
    expect(out + err).not.toBe('');
    expect(out + err).not.toContain('hidden');
  }
});
