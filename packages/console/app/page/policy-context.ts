/** What the views of blocks know of the page, and the hooks of `@blockwork/react` for its policy. */
import type { BlockName } from '@blockwork/client';
import {
  type BlockOptions,
  type BlockQuery,
  useBlock as useBlockOf,
  usePolicyId,
  useSend as useSendTo,
} from '@blockwork/react';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { createContext } from 'react';

interface PolicyOfPage {
  /** DID of the active person. */
  readonly person: string;
  readonly status: string;
  /** The tree of its blocks. */
  readonly config: Readonly<Record<string, unknown>>;
}

export const PolicyContext = createContext<PolicyOfPage>({ person: '', status: '', config: {} });

/** The response of a block. */
export const useBlock = <Answer>(uuid: string, query?: BlockQuery, options?: BlockOptions): UseQueryResult<Answer> =>
  useBlockOf<Answer>(usePolicyId(), { uuid }, query, options);

/** The response of a block that a column names, which may be closed to the person. */
export const useTaggedBlock = <Answer>(tag: string): UseQueryResult<Answer> =>
  useBlockOf<Answer>(usePolicyId(), tag, {}, { retry: false });

export const useSend = (block: BlockName): UseMutationResult => useSendTo(usePolicyId(), block);
