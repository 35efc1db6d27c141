/** Starts `blockwork serve` as a process, runs the commands it prints, interrupts it, and checks that it shuts down cleanly. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = fileURLToPath(new URL('../../packages/cli/bin/blockwork.js', import.meta.url));
const policies = fileURLToPath(new URL('policies', import.meta.url));
const data = await mkdtemp(join(tmpdir(), 'blockwork-serve-'));

for (const signal of ['SIGINT', 'SIGTERM']) {
  const server = spawn(process.execPath, [program, 'serve', policies], {
    env: { ...process.env, BLOCKWORK_DATA: data, BLOCKWORK_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'close');
  const printed = await printedBy(server.stdout);
  const lines = printed.split('\n').filter((line) => line.startsWith('curl '));
  assert.equal(lines.length, 3);
  for (const line of lines) {
    const answer = JSON.parse(execFileSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' }));
    assert.ok(answer.code === undefined, `${line}\nanswered ${JSON.stringify(answer)}`);
  }
  server.kill(signal);
  const [code] = await ended;
  assert.equal(code, 0, `after ${signal} the server ended with ${code}`);
  console.log(`started, answered ${lines.length} printed requests, and ended cleanly after ${signal}`);
}
await rm(data, { recursive: true });

/** Everything the server has printed once it is ready. */
async function printedBy(output) {
  let printed = '';
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    if (/^curl .*\/requests' .*\n/m.test(printed)) {
      output.resume();
      return printed;
    }
  }
  throw new Error(`The server ended early:\n${printed}`);
}
