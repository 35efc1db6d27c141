import { moduleBlock } from '@blockwork/core/block';
import { blockBench, type BlockBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';

const port = (name: string) => ({ name, description: '' });
const link = (source: string, output: string, target: string, input: string, actor = '') => ({
  source,
  output,
  target,
  input,
  actor,
  disabled: false,
});

/** A module whose port `in` leads to a module inside it, and from there to the port `out`. */
const nested = (more: Record<string, unknown> = {}): BlockBench =>
  blockBench(moduleBlock, {
    options: {
      inputEvents: [port('in')],
      outputEvents: [port('out')],
      innerEvents: [link('block', 'in', 'inner', 'pass')],
      ...more,
    },
    children: [
      {
        blockType: 'module',
        tag: 'inner',
        inputEvents: [port('pass')],
        events: [link('inner', 'pass', 'block', 'out')],
      },
      { blockType: 'informationBlock', tag: 'note', uiMetaData: { title: 'Note' } },
      { blockType: 'informationBlock', tag: 'secret', permissions: ['OWNER'] },
      { blockType: 'informationBlock', tag: 'hidden', defaultActive: false },
    ],
  });

const data = [{ document: { a: 1 } }];

describe('a module', () => {
  it('leads events in at its ports, along its inner links, and out again, with their data and their user', async () => {
    const bench = nested();
    const user = { role: 'Farmer', did: 'did:test:ann' };
    await bench.as(user).event('in', data);
    expect(bench.emitted).toMatchObject([
      { output: 'in', data, did: 'did:test:ann' },
      { output: 'out', data, did: 'did:test:ann' },
    ]);
  });

  it('fires an inner link once that is written as a link of the module as well', async () => {
    const bench = nested();
    await bench.as('Farmer').event('in', data);
    const twice = nested({ innerEvents: [link('block', 'in', 'inner', 'pass'), link('block', 'in', 'inner', 'pass')] });
    await twice.as('Farmer').event('in', data);
    expect(twice.emitted).toEqual(bench.emitted);
  });

  it('takes no other events', async () => {
    const bench = nested();
    await bench.as('Farmer').event('RunEvent', data);
    await bench.as('Farmer').event('unknown', data);
    expect(bench.emitted).toEqual([]);
  });

  it('shows what stands in it, as any container', async () => {
    const { blocks } = (await nested().as('Farmer').read()) as { blocks: ({ blockType: string } | null)[] };
    expect(blocks.map((block) => block?.blockType)).toEqual(['module', 'informationBlock', undefined, undefined]);
  });
});

describe('the author of a policy hears', () => {
  const findings = async (options: Record<string, unknown>) =>
    (await blockBench(moduleBlock, { options }).findings()).map(({ severity, path, message }) => [
      severity,
      path.replace(/^.*children\/\d+/, ''),
      message,
    ]);

  it('nothing about a module with all it needs', async () => {
    const variables = [{ name: 'Text', type: 'String', description: '' }];
    expect(await findings({ inputEvents: [port('a')], outputEvents: [port('a')], variables, Text: 'x' })).toEqual([]);
  });

  it('of ports with one name, of unknown types, and of variables without a value', async () => {
    const variables = [
      { name: 'Odd', type: 'Colour' },
      { name: 'Empty', type: 'String' },
    ];
    expect(await findings({ inputEvents: [port('a'), port('a')], variables, Odd: 'x' })).toEqual([
      ['warning', '/inputEvents', '"block" has two ports called "a".'],
      [
        'warning',
        '/variables/0',
        'The variable "Odd" of "block" has the type "Colour", which is none of Schema, Token, TokenTemplate, Topic, Group, Role, String.',
      ],
      ['warning', '/variables/1', '"block" gives its variable "Empty" no value, so the name stands for itself.'],
    ]);
  });

  it('of links to a port that the module does not have', async () => {
    const bench = nested({ innerEvents: [link('block', 'in', 'inner', 'missing')] });
    expect(await bench.findings()).toMatchObject([
      { code: 'LINK_NEVER_FIRES', path: expect.stringMatching(/innerEvents\/0$/) as unknown },
    ]);
  });
});
