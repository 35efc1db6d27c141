/** From editing to trying and back: what was entered in a trial is kept while the draft is edited, and there again in the next one. */
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useClient } from '../../api/server.js';
import { texts } from '../../texts.js';
import { studioTexts } from '../texts.js';

export type TrialStep = 'begin' | 'end';

export function useTrial(policyId: string): UseMutationResult<void, Error, TrialStep> {
  const { routes } = useClient();
  const queries = useQueryClient();
  const begin = async (): Promise<void> => {
    const { data } = await routes.dryRunPolicy({ policyId });
    if (!data.isValid) throw new Error(texts.policies.invalid);
    const { data: savepoints } = await routes.listSavepoints({ policyId });
    const last = savepoints.findLast(({ name }) => name === studioTexts.trial.savepoint);
    if (last !== undefined) await routes.restoreSavepoint({ policyId, savepointId: last.id });
  };
  const end = async (): Promise<void> => {
    const { data: before } = await routes.listSavepoints({ policyId });
    await routes.makeSavepoint({ policyId, body: { name: studioTexts.trial.savepoint } });
    // Only the last state is returned to.
    for (const { id, name } of before) {
      if (name === studioTexts.trial.savepoint) await routes.deleteSavepoint({ policyId, savepointId: id });
    }
    await routes.draftPolicy({ policyId });
  };
  return useMutation({
    mutationFn: async (step) => (step === 'begin' ? begin() : end()),
    onSettled: async () => queries.invalidateQueries(),
  });
}
