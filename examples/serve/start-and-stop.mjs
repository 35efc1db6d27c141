/** Starts `blockwork serve` as a process, asks it whether it is well, interrupts it, and checks that it ends cleanly. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../packages/cli/bin/blockwork.js', import.meta.url));
const policies = fileURLToPath(new URL('policies', import.meta.url));
const data = await mkdtemp(join(tmpdir(), 'blockwork-serve-'));

for (const signal of ['SIGINT', 'SIGTERM']) {
  const server = spawn(process.execPath, [program, 'serve', policies], {
    env: { ...process.env, BLOCKWORK_DATA: data, BLOCKWORK_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'close');
  const url = await addressIn(server.stdout);
  const answer = await fetch(`${url}/healthz`);
  assert.equal(answer.status, 200);
  server.kill(signal);
  const [code] = await ended;
  assert.equal(code, 0, `after ${signal} the server ended with ${code}`);
  console.log(`started, answered, and ended cleanly after ${signal}`);
}
await rm(data, { recursive: true });

/** The address of the line that says where the server listens. */
async function addressIn(output) {
  let printed = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    const [, url] = /^Serving (http:\/\/[^/\s]+)/m.exec(printed) ?? [];
    if (url !== undefined) {
      output.resume();
      return url;
    }
  }
  throw new Error(`The server ended early:\n${printed}`);
}
