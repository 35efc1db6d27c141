/** What every part of the studio works on: the draft as it is, the block types, and how to change it. */
import { createContext, useContext, type RefObject } from 'react';
import type { Finding } from '../policy/finding.js';
import type { BlockAt, Blocks } from './draft/blocks.js';
import type { Draft } from './draft/draft.js';
import type { BlockType, Definition, Edits } from './draft/operations.js';

/** Ids of blocks, or a block type. Pages may read the data of a drag only when it ends, so it is remembered. */
export type Dragged = { readonly blocks: readonly string[] } | { readonly type: string };

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
  /** The ids of all selected blocks, that of `selected` among them. */
  readonly chosen: ReadonlySet<string>;
  /** Selects several; `primary` is the one whose properties are shown. */
  readonly choose: (ids: readonly string[], primary: string) => void;
  /** What is being dragged. */
  readonly dragged: RefObject<Dragged | null>;
  /** Selects a block by its tag as soon as it is there. */
  readonly selectAdded: (tag: string) => void;
  /** Resolves to whether it was saved. `seen`: the revision that its author saw. */
  readonly edit: (edits: Edits, revision?: number) => Promise<boolean>;
  /** Finds what is wrong with the draft after these edits, before they are saved. */
  readonly check: (edits: Edits) => void;
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
