/** The program over HTTP: its own routes, its own users, and the interface of the policy. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { createApp } from './app.mjs';
import { openRegistry } from './registry.mjs';
import { openUsers } from './users.mjs';

let folder, engine, users, server, url;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notes-'));
  engine = await openRegistry(folder);
  users = await openUsers(folder);
  server = createServer(createApp(engine, users)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${server.address().port}`;
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await engine.close();
  await rm(folder, { recursive: true });
});

const block = (tag, name, body) =>
  fetch(`${url}/api/v1/policies/notes/tag/${tag}/blocks`, {
    headers: { authorization: `Bearer ${users.keys.get(name)}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

test('a member writes a note, and everybody reads it', async () => {
  assert.equal((await block('choose_role', 'alice', { role: 'Member' })).status, 200);
  assert.equal((await block('write', 'alice', { document: { text: 'The first note.' }, ref: null })).status, 200);
  const { data } = await (await block('notes', 'owner')).json();
  assert.deepEqual(
    data.map(({ document }) => document.credentialSubject[0].text),
    ['The first note.'],
  );
});

test('whoever has no key gets 401, and whoever has no role cannot write', async () => {
  assert.equal((await block('notes', 'nobody')).status, 401);
  const refused = await block('write', 'bob', { document: { text: 'Not mine.' }, ref: null });
  assert.ok(refused.status >= 400, `${refused.status}`);
});

test('the rest of the program answers beside it', async () => {
  assert.equal(await (await fetch(url)).text(), 'The rest of the program.\n');
  assert.equal((await fetch(`${url}/healthz`)).status, 200);
});
