/** The blocks of a policy by id, with their ancestors. */
import type { Caller, PolicyEngine } from '@blockwork/core';
import { isObject } from '@blockwork/core/records';

export interface IndexedBlock {
  readonly id: string;
  readonly tag: string;
  readonly blockType: string;
  /** The block itself first, the root last. */
  readonly path: readonly string[];
}

/** In the order of the tree, the root first. Throws as `engine.getPolicy`. */
export async function blocksOf(engine: PolicyEngine, caller: Caller, policyId: string): Promise<IndexedBlock[]> {
  const { config } = await engine.getPolicy(caller, policyId);
  return indexed(config, []);
}

function indexed(block: unknown, above: readonly string[]): IndexedBlock[] {
  if (!isObject(block)) return [];
  const { id, tag, blockType, children } = block;
  const path = [String(id), ...above];
  const below = Array.isArray(children) ? children.flatMap((child: unknown) => indexed(child, path)) : [];
  return [{ id: String(id), tag: textOf(tag), blockType: textOf(blockType), path }, ...below];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
