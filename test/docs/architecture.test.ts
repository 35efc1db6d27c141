/** ARCHITECTURE.md shows the code as it is. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/architecture.mjs', import.meta.url));

it('ARCHITECTURE.md draws the packages, rooms and locks that the code has', async () => {
  const { stderr } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect(stderr).toBe('');
});
