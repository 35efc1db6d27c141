/** Tools, and the files in which they are published. */
import { zipSync } from 'fflate';
import { link, written } from './policy-fixtures.js';

type Written = Record<string, unknown>;

const port = (name: string): Written => ({ name, description: '' });

/** A tool with the ports `in` and `out`. Its links are written as its file has them: without the policy's prefix. */
export const tool = (tag: string, more: Written = {}, ...children: Written[]): Written =>
  written(
    'tool',
    tag,
    {
      variables: [],
      inputEvents: [port('in')],
      outputEvents: [port('out')],
      events: [link(tag, 'in', 'first', 'RunEvent')],
      ...more,
    },
    ...children,
  );

/** What a policy says of a tool. */
export const useOf = (tag: string, messageId: string, more: Written = {}): Written => ({
  ...written('tool', tag, { messageId, hash: `hash of ${messageId}`, ...more }),
  inputEvents: [port('in')],
  outputEvents: [port('out')],
});

/** Under which `useOf` names a tool. */
export const referenceTo = (messageId: string) => ({ messageId, hash: `hash of ${messageId}` });

/** A `.tool` file. */
export const toolFile = (config: unknown, entries: Record<string, unknown> = {}, facts: Written = {}): Uint8Array => {
  const all = { 'tool.json': { name: 'Tool', description: 'A tool', ...facts, config }, ...entries };
  return zipSync(
    Object.fromEntries(
      Object.entries(all).map(([name, content]) => [name, new TextEncoder().encode(JSON.stringify(content))]),
    ),
  );
};
