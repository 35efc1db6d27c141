/** docs/telemetry.md: its tables are those of the code, and what it shows works. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { channels, createEngine, type Logger } from '@blockwork/core';
import { metrics } from '@blockwork/core/adapter';
import { pino, type Logger as Pino } from 'pino';
import { afterAll, expect, it } from 'vitest';

const page = await readFile(new URL('../../docs/telemetry.md', import.meta.url), 'utf8');
const folder = fileURLToPath(new URL('.generated-telemetry/', import.meta.url));
afterAll(() => rm(folder, { recursive: true, force: true }));

const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

it('has a row for each metric, as it is', () => {
  const described = rows.filter((row) => row.length === 5);
  const code = (text: string): string => `\`${text}\``;
  expect(described).toEqual(
    metrics.map(({ name, kind, unit, labels, description }) => [
      code(name),
      kind,
      code(unit),
      labels.map(code).join(', ') || 'none',
      description,
    ]),
  );
});

it('has a row for each channel, with everything that it tells', async () => {
  const source = await readFile(new URL('../../packages/core/src/telemetry/operations.ts', import.meta.url), 'utf8');
  const members = (name: string): string[] => {
    const [, body = ''] =
      new RegExp(`interface ${name}Operation extends Operation \\{([^}]*)\\}`, 'i').exec(source) ?? [];
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??:/gm)].map(([, member = '']) => member);
  };
  const described = rows.filter((row) => row.length === 3 && row[0]?.startsWith('`blockwork:'));
  const channelRows = described.map(([name = '', , more = '']) => [
    name.replaceAll('`', ''),
    [...more.matchAll(/`(\w+)`/g)].map(([, member]) => member).sort(),
  ]);
  const expected = Object.entries(channels).map(([name, channel]) => [channel.name, members(name).sort()]);
  expect(Object.fromEntries(channelRows)).toEqual(Object.fromEntries(expected));
});

/** The snippet, as a module. */
async function run(name: string, mark: string): Promise<object> {
  const snippet = [...page.matchAll(/```ts\n([\s\S]*?)```/g)]
    .map(([, code = '']) => code)
    .find((code) => code.includes(mark));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}${name}.ts`, `${snippet ?? ''}\nexport {};\n`);
  return import(/* @vite-ignore */ `${folder}${name}.ts`) as Promise<object>;
}

it('shows a logger for pino, which writes messages, fields and errors where pino has them', async () => {
  const { pinoLogger } = (await run('pino', 'pinoLogger')) as { pinoLogger: (log: Pino) => Logger };
  const lines: Record<string, unknown>[] = [];
  const into = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const logger = pinoLogger(pino({ level: 'info', redact: ['authorization'] }, into));
  logger.debug('unseen');
  logger.info('A request was answered.', { requestId: 'r', authorization: 'Bearer secret' });
  logger.error('It failed.', { policyId: 'p', error: new TypeError('why') });
  logger.warn('Alone.');
  expect(lines).toMatchObject([
    { level: 30, msg: 'A request was answered.', requestId: 'r', authorization: '[Redacted]' },
    { level: 50, msg: 'It failed.', policyId: 'p', err: { type: 'TypeError', message: 'why' } },
    { level: 40, msg: 'Alone.' },
  ]);
  const engine = createEngine({ logger });
  await engine.close();
});

it('shows how to listen', async () => {
  const { stop } = (await run('listen', 'channels.send.subscribe')) as { stop: () => void };
  expect(channels.send.isHeard).toBe(true);
  stop();
  expect(channels.send.isHeard).toBe(false);
});
