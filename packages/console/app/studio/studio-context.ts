/** What every part of the studio works on: the draft as it is, the block types, and how to change it. */
import { createContext, useContext } from 'react';
import type { Finding } from '../policy/finding.js';
import type { BlockAt, Blocks } from './draft/blocks.js';
import type { Draft } from './draft/draft.js';
import type { BlockType, Definition, EditOperation } from './draft/operations.js';

export interface Studio {
  readonly policyId: string;
  readonly definition: Definition;
  readonly blocks: Blocks;
  readonly types: ReadonlyMap<string, BlockType>;
  readonly findings: readonly Finding[];
  readonly draft: Draft;
  readonly isReadOnly: boolean;
  /** The root, if no other block is selected. */
  readonly selected: BlockAt;
  readonly select: (id: string) => void;
  /** Selects a block by its tag as soon as it is there. */
  readonly selectAdded: (tag: string) => void;
  /** Resolves to whether it was saved. `seen`: the revision that its author saw. */
  readonly edit: (operations: readonly EditOperation[], seen?: number) => Promise<boolean>;
  /** Tells what happened, in a line of the status bar. */
  readonly say: (text: string) => void;
}

export const StudioContext = createContext<Studio | null>(null);

export function useStudio(): Studio {
  const studio = useContext(StudioContext);
  if (studio === null) throw new Error('This part is used outside of the studio.');
  return studio;
}

/** The title of a block type; of an unknown one its name. */
export const titleOf = (types: ReadonlyMap<string, BlockType>, type: string): string => types.get(type)?.title ?? type;
