/** The schemas of a policy: read, changed here, and stored a moment after each change, as one edit of the draft. */
import { withDefinitions } from '@blockwork/contract/schema-model';
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { useClient } from '../../api/server.js';
import { usePeople } from '../../session/people.js';
import { isStored, nextDraft, type DraftState } from './draft-state.js';
import { entriesOf, operationsBetween, type Entry } from './entries.js';

/** After the last change, in milliseconds. */
const SAVE_AFTER_MS = 400;

interface Definition {
  readonly revision: number;
  readonly entries: readonly Entry[];
  readonly config: unknown;
}

export interface SchemaDraft {
  readonly query: UseQueryResult<Definition>;
  readonly state: DraftState | null;
  readonly isSaved: boolean;
  readonly error: Error | null;
  /** `place` names what is changed, so that the keystrokes in one input are undone as one. */
  readonly change: (entries: readonly Entry[], place?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

/** `null` in place of an id: nothing is read. */
export function useDefinition(id: string | null): UseQueryResult<Definition> {
  const client = useClient();
  const { active } = usePeople();
  return useQuery({
    queryKey: ['definition', id, active?.did],
    enabled: id !== null,
    queryFn: async ({ signal }) => {
      const { data, headers } = await client.routes.getDefinition({ policyId: id ?? '', signal });
      const revision = Number(/\d+/.exec(headers.get('etag') ?? '')?.[0]);
      return { revision, entries: entriesOf(data.schemas), config: data.config };
    },
  });
}

export function useSchemaDraft(id: string): SchemaDraft {
  const client = useClient();
  const queries = useQueryClient();
  const query = useDefinition(id);
  const [state, dispatch] = useReducer(nextDraft, null);
  const read = query.data;
  useEffect(() => {
    if (read !== undefined) dispatch({ type: 'read', ...read });
  }, [read]);

  const saving = useMutation({
    mutationFn: async ({ stored, entries, revision }: DraftState) => {
      const operations = operationsBetween(stored, entries);
      if (operations.length === 0) return revision;
      const { data } = await client.routes.editPolicy({ policyId: id, body: { operations }, ifMatch: revision });
      return data.revision;
    },
    onSuccess: (revision, { entries }) => {
      dispatch({ type: 'stored', entries, revision });
      void queries.invalidateQueries();
    },
  });
  const { mutate, isPending, error } = saving;
  useEffect(() => {
    if (state === null || isStored(state) || isPending || error !== null) return;
    const timer = setTimeout(() => {
      mutate(state);
    }, SAVE_AFTER_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [state, isPending, error, mutate]);

  // What was typed last is stored also when the page is left.
  const latest = useRef({ state, isIdle: false, mutate });
  latest.current = { state, isIdle: !isPending && error === null, mutate };
  useEffect(
    () => () => {
      const now = latest.current;
      if (now.state !== null && !isStored(now.state) && now.isIdle) now.mutate(now.state);
    },
    [],
  );

  return {
    query,
    state,
    isSaved: state !== null && isStored(state),
    error,
    change: (entries, place) => {
      dispatch({ type: 'change', entries: withDefinitions(entries), place: place ?? null });
    },
    undo: () => {
      dispatch({ type: 'undo' });
    },
    redo: () => {
      dispatch({ type: 'redo' });
    },
  };
}
