/** The verdict on a policy that is being edited, as the editor of the reference shows it: block by block. */
import type { Finding } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';

export interface BlockVerdict {
  readonly id: string;
  /** Its type, as in the reference. */
  readonly name: string;
  readonly isValid: boolean;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly infos: readonly string[];
}

export interface Verdict {
  readonly isValid: boolean;
  /** About no block of it: the rest of the policy, and what is inside its tools. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly infos: readonly string[];
  readonly blocks: readonly BlockVerdict[];
  readonly modules: readonly [];
  readonly tools: readonly [];
}

interface Texts {
  readonly errors: string[];
  readonly warnings: string[];
  readonly infos: string[];
}

const lists = { error: 'errors', warning: 'warnings', information: 'infos' } as const;

/** Every block of `config` has its verdict, in the order of the tree. */
export function verdictOf(config: unknown, findings: readonly Finding[]): Verdict {
  const nothing = (): Texts => ({ errors: [], warnings: [], infos: [] });
  const common = nothing();
  const blocks = new Map(blocksIn(config).map(([id, name]) => [id, { name, texts: nothing() }]));
  for (const { severity, message, block } of findings) {
    const { texts } = blocks.get(block ?? '') ?? { texts: common };
    texts[lists[severity]].push(message);
  }
  const verdicts = [...blocks].map(([id, { name, texts }]) => ({
    ...{ id, name, isValid: texts.errors.length === 0 },
    ...texts,
  }));
  const isValid = common.errors.length === 0 && verdicts.every((verdict) => verdict.isValid);
  return { isValid, ...common, blocks: verdicts, modules: [], tools: [] };
}

function blocksIn(config: unknown): [id: string, blockType: string][] {
  const blocks: [string, string][] = [];
  const open: unknown[] = [config];
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (!isObject(block)) continue;
    const { id, blockType, children } = block;
    if (typeof id === 'string' || typeof id === 'number') blocks.push([String(id), String(blockType)]);
    if (Array.isArray(children)) open.push(...(children as unknown[]).toReversed());
  }
  return blocks;
}
