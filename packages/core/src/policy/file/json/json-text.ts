/** The JSON text of a tree of blocks, block by block: that of a large policy takes long. */
import type { Steps } from '../../../loop-share.js';
import type { BlockSource } from '../../../records/index.js';

/** As `JSON.stringify(block)`. */
export function* jsonTextOf(block: BlockSource): Steps<string> {
  const members: string[] = [];
  for (const [name, value] of Object.entries(block)) {
    const text = name === 'children' ? yield* listTextOf(block.children) : textOf(value);
    if (text !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
  }
  yield;
  return `{${members.join(',')}}`;
}

/** `undefined` for a member that JSON leaves out. */
const textOf = (value: unknown): string | undefined => JSON.stringify(value);

function* listTextOf(blocks: readonly BlockSource[]): Steps<string> {
  const texts: string[] = [];
  for (const block of blocks) texts.push(yield* jsonTextOf(block));
  return `[${texts.join(',')}]`;
}
