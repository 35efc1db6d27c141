/** What the views of blocks share. */
import { createContext, type ReactNode } from 'react';
import type { Slot } from '../hooks/use-block.js';

/** What a view is given: read the block with `useBlock(policyId, { uuid: block.id })`. */
export interface BlockViewProps {
  readonly block: Slot;
}

/** The policy of the page. */
export const PolicyId = createContext('');

/** The title that the policy gives the block, otherwise its type in words. */
export function titleOf({ uiMetaData, blockType }: Pick<Slot, 'uiMetaData' | 'blockType'>): string {
  const words = blockType
    .replace(/Block$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase();
  return textOf(uiMetaData, 'title') || words.charAt(0).toUpperCase() + words.slice(1);
}

export const textOf = (uiMetaData: Slot['uiMetaData'], member: string): string => {
  const value = uiMetaData?.[member];
  return typeof value === 'string' ? value : '';
};

export const Failure = ({ error }: { readonly error: Error | null }): ReactNode =>
  error === null ? null : (
    <p role="alert" className="blockwork-failure">
      {error.message}
    </p>
  );
