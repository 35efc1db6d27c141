/** Three nodes on one database, clients that retry unanswered requests, and one node that is killed: nothing is lost or done twice. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const address = process.argv[2] ?? process.env.BLOCKWORK_TEST_POSTGRES;
if (address === undefined) {
  console.log('SKIPPED: no database. Give the address of a PostgreSQL server, or set BLOCKWORK_TEST_POSTGRES to one.');
  process.exit(0);
}

const { Client } = createRequire(new URL('../../packages/store-postgres/package.json', import.meta.url))('pg');
const program = fileURLToPath(new URL('../../packages/cli/bin/blockwork.js', import.meta.url));
const policies = fileURLToPath(new URL('../serve/policies', import.meta.url));
const [producers, applicationsOfEach, killedAfter] = [4, 15, 20];

/** A temporary database, dropped at the end. */
const name = `blockwork_example_${randomBytes(6).toString('hex')}`;
const database = new URL(address);
database.pathname = `/${name}`;
await onServer(`create database ${name} encoding 'UTF8' template template0`);

const env = {
  ...process.env,
  BLOCKWORK_DATABASE_URL: database.href,
  BLOCKWORK_JWT_SECRET: randomBytes(32).toString('base64url'),
  BLOCKWORK_KEY_SEED: randomBytes(32).toString('base64'),
  BLOCKWORK_PORT: '0',
  BLOCKWORK_LOG: 'error',
};

const nodes = [];
/** Number of retried requests. */
let repeats = 0;
try {
  await Promise.all(['a', 'b', 'c'].map(startNode));
  console.log(`three nodes serve one database: ${nodes.map(({ url }) => url).join(', ')}`);
  const sent = await load();
  const stored = await applications();
  console.log(`sent and acknowledged: ${sent.length}, stored: ${stored.length}, repeated by clients: ${repeats}`);
  assert.deepEqual(stored.sort(), sent.sort(), 'each acknowledged send is there exactly once');
} finally {
  for (const node of nodes) node.process.kill('SIGTERM');
  await Promise.all(nodes.map((node) => node.ended));
  await onServer(`drop database ${name} with (force)`);
}

/** Producers apply for sites through random nodes, and midway one node is killed. Resolves with the acknowledged names. */
async function load() {
  const acknowledged = [];
  const produce = async (_, at) => {
    const who = await tokenOf(`producer-${at}`);
    await send(who, 'choose_role', { group: 'Cooperative', label: `Cooperative ${at}` });
    for (let n = 0; n < applicationsOfEach; n += 1) {
      const document = { name: `Site ${at}-${n}`, technology: 'Wind', capacityKW: 2400, since: '2024-05-02' };
      await send(who, 'apply', { document, ref: null });
      acknowledged.push(document.name);
      if (acknowledged.length === killedAfter) {
        nodes[1].process.kill('SIGKILL');
        console.log(`killed the node ${nodes[1].url} after ${killedAfter} applications`);
      }
    }
  };
  await Promise.all(Array.from({ length: producers }, produce));
  return acknowledged;
}

/** The names of all applications, as the owner sees them. */
async function applications() {
  const { data } = await ask(await tokenOf('owner'), 'applications/blocks?page=0&itemsPerPage=1000');
  return data.map(({ document }) => document.credentialSubject[0].name);
}

/** Retries an unanswered send with the same idempotency key, so that it is carried out once. */
async function send(token, tag, body) {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
  await ask(token, `${tag}/blocks`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** The answer of a node; a request without an answer is retried through the next one. */
async function ask(token, path, init = {}) {
  const headers = { ...init.headers, authorization: `Bearer ${token}` };
  for (let at = Math.floor(Math.random() * nodes.length); ; at += 1) {
    try {
      const address = `${nodes[at % nodes.length].url}/api/v1/policies/energy-certificates/tag/${path}`;
      const answer = await fetch(address, { ...init, headers });
      const text = await answer.text();
      if (answer.ok) return JSON.parse(text);
      assert.ok([429, 503].includes(answer.status), `${path} answered ${answer.status}: ${text}`);
    } catch (error) {
      // No answer: the node died before or after it processed the request.
      if (!(error instanceof TypeError)) throw error;
    }
    repeats += 1;
    await pause(50);
  }
}

async function tokenOf(who) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'token', '--as', who], { env });
  return stdout.trim();
}

async function startNode(node) {
  const child = spawn(process.execPath, [program, 'serve', policies], {
    env: { ...env, BLOCKWORK_NODE: node },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const started = { process: child, ended: once(child, 'close'), url: '' };
  nodes.push(started);
  let printed = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    printed += chunk;
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    started.url = url;
    return;
  }
  throw new Error(`The node "${node}" ended early:\n${printed}`);
}

async function onServer(statement) {
  const client = new Client(address);
  await client.connect();
  await client.query(statement);
  await client.end();
}
