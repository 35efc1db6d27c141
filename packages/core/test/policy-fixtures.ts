/** Small policies for the tests of reading and compiling them. */
import { zipSync } from 'fflate';
import { z } from 'zod';
import type { BlockDefinition } from '../src/policy/index.js';
import type { BlockCatalog } from '../src/policy/model/policy-model.js';
import type { CompileFacts } from '../src/policy/compile/compile-facts.js';
import type { BlockSource, EventSource } from '../src/records/index.js';

/** Ids that can be told apart and foreseen: `00000000-0000-4000-8000-000000000001`, and so on. */
export function countingIds(): { uuid(): string; issued: string[] } {
  const issued: string[] = [];
  return {
    issued,
    uuid() {
      const id = `00000000-0000-4000-8000-${String(issued.length + 1).padStart(12, '0')}`;
      issued.push(id);
      return id;
    },
  };
}

/** A block as an author would write it, without what may be left out. */
export const written = (
  blockType: string,
  tag: string,
  rest: Record<string, unknown> = {},
  ...children: unknown[]
): Record<string, unknown> => ({ blockType, tag, permissions: ['ANY_ROLE'], ...rest, children });

let blocks = 0;

/** A complete block, as readers give it. */
export const source = (
  blockType: string,
  tag: string,
  rest: Partial<BlockSource> = {},
  ...children: BlockSource[]
): BlockSource => ({
  id: `00000000-0000-4000-9000-${String(++blocks).padStart(12, '0')}`,
  blockType,
  tag,
  permissions: ['ANY_ROLE'],
  defaultActive: true,
  uiMetaData: {},
  events: [],
  dependencies: [],
  ...rest,
  children,
});

export const link = (
  from: string,
  output: string,
  to: string,
  input: string,
  rest: Partial<EventSource> = {},
): EventSource => ({
  source: from,
  target: to,
  output,
  input,
  actor: '',
  disabled: false,
  ...rest,
});

/** A `.policy` archive; contents that are no bytes are written as JSON. */
export const archive = (files: Record<string, unknown>): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, contentBytes(content)]))),
  );

const contentBytes = (content: unknown): Uint8Array =>
  content instanceof Uint8Array
    ? content
    : new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));

/** The least that an archive must hold, with one block. */
export const policyJson = (
  config: unknown = written('interfaceContainerBlock', ''),
  rest: Record<string, unknown> = {},
) => ({
  name: 'Test policy',
  codeVersion: '1.5.1',
  policyRoles: ['Installer'],
  ...rest,
  config,
});

export const facts: CompileFacts = { roles: ['Installer'], groups: [], navigation: [] };

export const definition = (type: string, facts: Partial<BlockDefinition> = {}): BlockDefinition => ({
  type,
  title: type,
  description: '',
  kind: 'server',
  children: 'any',
  options: z.object({}),
  ...facts,
});

export const catalogOf = (...definitions: BlockDefinition[]): BlockCatalog =>
  new Map(definitions.map((each) => [each.type, each]));

/** The error's message, for a call that must be refused with this code. */
export function refusal(call: () => unknown, code: string): string {
  try {
    call();
  } catch (error) {
    if (error instanceof Error && (error as { code?: unknown }).code === code) return error.message;
    throw error;
  }
  throw new Error(`nothing was refused, where ${code} was expected`);
}
