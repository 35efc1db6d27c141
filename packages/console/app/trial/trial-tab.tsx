/** The trial of a policy: its users, savepoints, and recordings. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { DialogButton } from '../ui/dialog-button.js';
import { Failure } from '../ui/failure.js';
import { Loaded } from '../ui/loaded.js';
import { People } from './people.js';
import { RecordingCard } from './recording.js';
import { Savepoints } from './savepoints.js';
import type { Act } from './act.js';

interface TrialProps {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

export default function TrialTab({ id, name, status }: TrialProps): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: ['trial', id],
    queryFn: async ({ signal }) => {
      const [{ data: trial }, { data: savepoints }] = await Promise.all([
        client.routes.getTrial({ policyId: id, signal }),
        client.routes.listSavepoints({ policyId: id, signal }),
      ]);
      return { trial, savepoints };
    },
    retry: false,
  });
  const acting = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => act(),
    onSettled: async () => queries.invalidateQueries(),
  });
  const act: Act = (change) => {
    acting.mutate(change);
  };
  const isTrial = status === 'DRY-RUN';
  return (
    <Loaded query={query}>
      {({ trial, savepoints }) => (
        <>
          {!isTrial && <p className="card warning">{texts.trial.notRunning}</p>}
          {acting.error !== null && <Failure error={acting.error} />}
          <div className="trial">
            <People id={id} users={trial.users} isTrial={isTrial} isBusy={acting.isPending} act={act} />
            <Savepoints
              id={id}
              savepoints={savepoints}
              current={trial.savepoint}
              isTrial={isTrial}
              isBusy={acting.isPending}
              act={act}
            />
            <RecordingCard
              id={id}
              name={name}
              recording={trial.recording}
              isTrial={isTrial}
              isBusy={acting.isPending}
              act={act}
            />
            {isTrial && (
              <section className="card">
                <h2>{texts.trial.restart}</h2>
                <p className="quiet">{texts.trial.restartHint}</p>
                <DialogButton label={texts.trial.restartButton} title={texts.trial.restart}>
                  {(close) => (
                    <div className="stack">
                      <p>{texts.trial.confirmRestart}</p>
                      <div className="actions">
                        <button
                          type="button"
                          className="danger"
                          onClick={() => {
                            act(async () => client.routes.restartTrial({ policyId: id }));
                            close();
                          }}
                        >
                          {texts.trial.restartConfirm}
                        </button>
                      </div>
                    </div>
                  )}
                </DialogButton>
              </section>
            )}
          </div>
        </>
      )}
    </Loaded>
  );
}
