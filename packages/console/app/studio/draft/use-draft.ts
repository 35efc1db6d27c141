/** A draft of this page: its definition, kept up to date, and the session in which it is edited. */
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../../api/server.js';
import { ownEditKey } from '../../live/refresher.js';
import { usePeople } from '../../session/people.js';
import { blocksOf } from './blocks.js';
import { Draft } from './draft.js';
import type { BlockType, Definition } from './operations.js';
import { stacksOf } from './undo-stacks.js';

/** Edits of the history that are read when a draft is opened, to be undone in this session. */
const REMEMBERED = 100;

export interface RevisedDefinition {
  readonly definition: Definition;
  readonly revision: number;
}

function useDefinition(id: string): UseQueryResult<RevisedDefinition> {
  const client = useClient();
  return useQuery({
    queryKey: ['definition', id],
    queryFn: async ({ signal }) => client.policy(id).definition({ signal }),
    retry: false,
  });
}

export function useBlockTypes(): UseQueryResult<ReadonlyMap<string, BlockType>> {
  const client = useClient();
  return useQuery({
    queryKey: ['block types'],
    queryFn: async ({ signal }) => {
      const { data } = await client.routes.listBlockTypes({ signal });
      return new Map(data.map((each) => [each.type, each]));
    },
    staleTime: Infinity,
  });
}

export function useDraft(id: string, isDraft: boolean): { query: UseQueryResult<RevisedDefinition>; draft: Draft } {
  const client = useClient();
  const queries = useQueryClient();
  const did = usePeople().active?.did;
  const query = useDefinition(id);
  const { refetch, data } = query;
  const [draft] = useState(() => {
    const policy = client.policy(id);
    const noteOwn = (revision: number): unknown => queries.setQueryData(ownEditKey(id), revision);
    // Events of any edit may come before the answer to this one, after which all is read again.
    const save = async <T>(send: () => Promise<T>): Promise<T> => {
      noteOwn(Infinity);
      return send();
    };
    return new Draft({
      edit: async (operations, ifMatch) =>
        save(async () => policy.edit(operations, ifMatch === undefined ? {} : { ifMatch })),
      undo: async (edit) => save(async () => policy.undo(edit)),
      replace: async (body, ifMatch) =>
        save(
          async () =>
            (await client.routes.replaceDefinition({ policyId: id, body, ...(ifMatch !== undefined && { ifMatch }) }))
              .data,
        ),
      sourceOf: (block) => {
        const read = queries.getQueryData<RevisedDefinition>(['definition', id]);
        return read && blocksOf(read.definition.config).byId.get(block)?.source;
      },
      refresh: async (own = 0) => {
        noteOwn(own);
        void queries.invalidateQueries({ queryKey: ['findings', id] });
        const { data: read } = await refetch({ throwOnError: true });
        return read?.revision ?? 0;
      },
    });
  });
  useEffect(() => {
    if (data !== undefined) draft.show(data.revision);
  }, [draft, data]);
  useEffect(() => {
    if (!isDraft) return;
    const reading = new AbortController();
    client.routes
      .listEdits({ policyId: id, query: { pageSize: REMEMBERED }, signal: reading.signal })
      .then(({ data: edits }) => {
        draft.restore(stacksOf(edits.filter((edit) => edit.did === did)));
      })
      // Without the history, what is done in this session can still be undone.
      .catch(() => undefined);
    return () => {
      reading.abort();
    };
  }, [client, id, did, draft, isDraft]);
  return { query, draft };
}
