/** The hostile members of the soak, in a process of their own: what they do to themselves is not measured. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { block, openClient } from './client.mjs';

const { url, secret, end } = JSON.parse(process.argv[2]);
const { statuses, failures, ask, send, repeat, token } = openClient({ url, secret, end });
const mallory = token('did:example:mallory');

const attacks = [
  (n) => ask(mallory, `${block('honest', 'grid')}?itemsPerPage=1&sortField=x${n}`),
  (n) => ask(mallory, `${block('honest', 'grid')}?itemsPerPage=${n}e9&page=-1`),
  (n) => ask(`not.a.token${n}`, '/policies'),
  (n) => send(mallory, block('honest', 'pages'), '['.repeat(10_000 + n)),
  () => send(mallory, block('honest', 'note'), { n: 'x'.repeat(900_000) }),
  () => send(mallory, block('honest', 'note'), 'x'.repeat(2_000_000)),
  (n) => ask(mallory, `/policies/honest/blocks/${n}%2e%2e%2f`),
  () => ask(mallory, '/policies/honest/journal'),
  () =>
    ask(mallory, `${block('honest', 'grid')}`, { headers: { 'content-encoding': 'br' }, method: 'POST', body: '{}' }),
  () => ask(mallory, '/policies/honest/dry-run', { method: 'PUT' }),
];
const hostileUser = () => repeat(30, (n) => attacks[n % attacks.length](n).catch(ignoreCut));
/** By what came of it. */
const scripts = new Map();
const hostileScripts = (policy) =>
  repeat(100, async (n) => {
    const tag = ['endless', 'greedy', 'talkative'][n % 3];
    const { status, text } = await send(mallory, block(policy, tag), {});
    const outcome = `${tag} ${status} ${JSON.parse(text).error ?? ''}`;
    scripts.set(outcome, (scripts.get(outcome) ?? 0) + 1);
  });

/** Connections that never come to the end of their headers, and subscriptions that nobody reads. */
const { hostname, port } = new URL(url);
const connections = new Map([
  ['slow', 'GET /api/v1/policies HTTP/1.1\r\nHost: soak\r\n'],
  ['deaf', `GET /api/v1/events HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${mallory}\r\n\r\n`],
]);
const hostileConnection = (kind) =>
  repeat(10, async () => {
    const socket = connect({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).write(connections.get(kind));
    socket.once('data', (head) => {
      const status = Number(head.toString().split(' ')[1]);
      if (status !== (kind === 'slow' ? 408 : 200)) failures.push(`A ${kind} connection was answered ${status}.`);
      if (kind === 'deaf') socket.pause();
    });
    const dripping = setInterval(() => kind === 'slow' && socket.write('x'), 1000);
    await Promise.race([closed, pause(Math.max(0, end - Date.now()))]);
    clearInterval(dripping);
    socket.destroy();
  });

/** Uploads that announce all that a body may have and never arrive: each holds its bytes until the request times out. */
const hostileUpload = () =>
  repeat(10, async () => {
    const socket = connect({ host: hostname, port: Number(port) });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const head = `POST /api/v1${block('honest', 'note')} HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${mallory}\r\n`;
    socket.on('error', () => undefined).resume();
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 1048576\r\n\r\n{`);
    await Promise.race([closed, pause(Math.max(0, end - Date.now()))]);
    socket.destroy();
  });
/** Streams without end: each new one beyond the member's share ends the member's oldest. */
const hostileStreams = () =>
  repeat(50, async () => {
    const stream = await fetch(`${url}/api/v1/events`, { headers: { authorization: `Bearer ${mallory}` } });
    if (stream.status !== 200) failures.push(`A stream was answered ${stream.status}.`);
    stream.body?.pipeTo(new globalThis.WritableStream()).catch(ignoreCut);
  });
/** More sends at once than the share of one member. */
const hostileSends = () =>
  repeat(500, async (n) => {
    const many = Array.from({ length: 50 }, () => send(mallory, block('hostile', 'note'), { n }));
    await Promise.all(many);
  });

/** A server may cut a connection whose body is too large. */
function ignoreCut(error) {
  if (!(error instanceof TypeError)) throw error;
}

const hostileMembers = () => [
  ...Array.from({ length: 2 }, () => hostileUser()),
  ...['hostile', 'hostile-too'].flatMap((policy) => Array.from({ length: 3 }, () => hostileScripts(policy))),
  ...Array.from({ length: 20 }, () => hostileConnection('slow')),
  ...Array.from({ length: 5 }, () => hostileConnection('deaf')),
  ...Array.from({ length: 60 }, () => hostileUpload()),
  hostileStreams(),
  hostileSends(),
];
await Promise.all(hostileMembers());
process.send({ statuses: [...statuses], failures, scripts: [...scripts] }, () => process.disconnect());
