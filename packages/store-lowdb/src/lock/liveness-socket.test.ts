import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LivenessSocket } from './liveness-socket.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blockwork-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.skipIf(process.platform === 'win32')('a liveness socket', () => {
  it('answers as long as it is open, and is removed when it is closed, once or twice', async () => {
    const path = join(folder, 'open.sock');
    const socket = await LivenessSocket.listen(path);
    expect([await LivenessSocket.probe(path), await LivenessSocket.probe(path)]).toEqual(['alive', 'alive']);
    await socket.close();
    expect(await readdir(folder)).not.toContain('open.sock');
    await socket.close();
  });

  it('shows that its process is gone if only its file is left', async () => {
    const [path, left] = [join(folder, 'ended.sock'), join(folder, 'left.sock')];
    const socket = await LivenessSocket.listen(path);
    await rename(path, left);
    await socket.close();
    expect(await LivenessSocket.probe(left)).toBe('gone');
  });

  it('has an unknown state if its file is missing', async () => {
    expect(await LivenessSocket.probe(join(folder, 'missing.sock'))).toBe('unknown');
  });

  it.runIf(process.platform === 'linux')('works with a path that is too long for a socket address', async () => {
    const deep = join(folder, 'd'.repeat(120));
    await mkdir(deep);
    const [path, left] = [join(deep, 'open.sock'), join(deep, 'left.sock')];
    const socket = await LivenessSocket.listen(path);
    expect([await readdir(deep), await LivenessSocket.probe(path)]).toEqual([['open.sock'], 'alive']);
    await rename(path, left);
    await socket.close();
    expect(await LivenessSocket.probe(left)).toBe('gone');
    expect(await LivenessSocket.probe(path)).toBe('unknown');
  });

  it('does nothing with a path in a folder that does not exist', async () => {
    const path = join(folder, 'missing/a.sock');
    const before = await readdir(folder);
    const socket = await LivenessSocket.listen(path);
    expect(await readdir(folder)).toEqual(before);
    expect(await LivenessSocket.probe(path)).toBe('unknown');
    await socket.close();
  });
});
