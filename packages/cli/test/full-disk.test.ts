/** Commands on a full disk, which is a file system of one page in a namespace of its own. */
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../test/support/folders.js';
import { bundledProgram } from '../../../test/support/bundled-program.js';

const newFolder = temporaryFolders();
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
let [disk, blockwork] = ['', ''];

/** What the lines print, on a disk of 4 KiB at `$disk` that no other process sees. */
const onSmallDisk = (...lines: string[]): string =>
  execFileSync('unshare', ['-rm', 'sh', '-c', ['mount -t tmpfs -o size=4k none "$disk"', ...lines].join('\n')], {
    env: {
      ...process.env,
      NODE_PATH: modules,
      HOME: disk,
      disk,
      blockwork,
      BLOCKWORK_DATA: join(disk, 'data'),
      BLOCKWORK_BLOCKED_MS: '0',
    },
    encoding: 'utf8',
  });

function canMount(): boolean {
  try {
    execFileSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs none /tmp'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const fill = 'head -c 4096 /dev/zero > "$disk/filler"';

describe.runIf(canMount())('on a full disk', () => {
  beforeAll(async () => {
    const folder = await newFolder();
    disk = join(folder, 'disk');
    await mkdir(disk);
    blockwork = await bundledProgram(folder);
  });

  it('a secret is made whole or not at all, and the next start makes it', () => {
    const printed = onSmallDisk(
      fill,
      'node "$blockwork" serve 2>&1',
      'node "$blockwork" token --as owner 2>&1',
      'ls -A "$disk/data"',
      'rm "$disk/filler"',
      'node "$blockwork" token --as owner',
    );
    const file = join(disk, 'data', 'jwt-secret');
    expect(printed.trim().split('\n')).toEqual([
      `blockwork: not started: ${file} cannot be written (ENOSPC). The disk is full: free some space, or set BLOCKWORK_DATA to a folder on another disk.`,
      `blockwork: ${file} cannot be written: the disk is full (ENOSPC).`,
      expect.stringMatching(/^ey[\w-]+(\.[\w-]+){2}$/),
    ]);
  });

  it('a new project says so', () => {
    expect(onSmallDisk(fill, 'node "$blockwork" new "$disk/sunlight" 2>&1 || true')).toBe(
      'blockwork: A file cannot be written: the disk is full (ENOSPC).\n',
    );
  });

  it('output that cannot be written is a failure of the command', () => {
    const command = 'node "$blockwork" %s 2>&1 > /dev/full || echo $?';
    for (const each of ['completion bash', 'openapi', '--help']) {
      const printed = onSmallDisk(command.replace('%s', each));
      expect(printed, each).toBe('blockwork: Standard output cannot be written (ENOSPC).\n3\n');
    }
  });
});
