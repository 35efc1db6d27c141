/** The trial of a policy: its users, savepoints, and recordings. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { usePeople } from '../session/people.js';
import { texts } from '../texts.js';
import { DialogButton } from '../ui/dialog-button.js';
import { download } from '../ui/download.js';
import { Failure } from '../ui/failure.js';
import { dateText } from '../ui/format.js';
import { Loaded } from '../ui/loaded.js';
import { TextForm } from '../ui/text-form.js';
import type { Act, TrialCardProps } from './act.js';
import { act as actAs, useActing } from './acting.js';
import { Savepoints } from './savepoints.js';

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

interface PeopleProps extends TrialCardProps {
  readonly users: readonly { readonly did: string; readonly name: string }[];
}

function People({ id, users, isTrial, act }: PeopleProps): ReactNode {
  const client = useClient();
  const owner = usePeople().active?.did ?? '';
  const acting = useActing(id, owner);
  const [, navigate] = useLocation();
  return (
    <section className="card">
      <h2>{texts.trial.people}</h2>
      <p className="quiet">{texts.trial.peopleHint}</p>
      <ul className="plain rows">
        {users.map((user) => (
          <li key={user.did} className="spread">
            <span>
              <strong>{user.name}</strong>
              <br />
              <code className="clip" title={user.did}>
                {user.did}
              </code>
            </span>
            {isTrial && (
              <button
                type="button"
                aria-pressed={acting?.did === user.did}
                onClick={() => {
                  actAs({ policyId: id, did: user.did, name: user.name, owner });
                  navigate(`/policies/${encodeURIComponent(id)}/page`);
                }}
              >
                {texts.trial.beUser(user.name)}
              </button>
            )}
          </li>
        ))}
      </ul>
      {users.length === 0 && <p>{texts.trial.nobody}</p>}
      {isTrial && (
        <TextForm
          key={users.length}
          label={texts.trial.userName}
          button={texts.trial.addUser}
          onSubmit={(name) => {
            act(async () => client.routes.addTrialUser({ policyId: id, body: name.trim() === '' ? {} : { name } }));
          }}
        />
      )}
    </section>
  );
}

interface RecordingProps extends TrialCardProps {
  readonly name: string;
  readonly recording: {
    readonly startDate: string;
    readonly stopDate: string | null;
    readonly steps: number;
    readonly isFull: boolean;
  } | null;
}

/** The file name of a test, next to the policy's file. */
const fileName = (name: string): string => `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.scenario.json`;

function RecordingCard({ id, name, recording, isTrial, isBusy, act }: RecordingProps): ReactNode {
  const { routes } = useClient();
  const isOn = recording?.stopDate === null;
  const save = async (): Promise<void> => {
    const { data } = await routes.getScenario({ policyId: id });
    download(new TextEncoder().encode(`${JSON.stringify(data, null, 2)}\n`), fileName(name), 'application/json');
  };
  return (
    <section className="card">
      <h2>{texts.trial.recording}</h2>
      <p className="quiet">{texts.trial.recordingHint}</p>
      {recording !== null && (
        <p role="status">
          <span className={isOn ? 'mark recording' : 'mark'}>
            {isOn ? texts.trial.isRecording : texts.trial.isRecorded}
          </span>{' '}
          {texts.trial.steps(recording.steps)} ·{' '}
          <time dateTime={recording.startDate}>{dateText(recording.startDate)}</time>
        </p>
      )}
      {recording?.isFull === true && <p>{texts.trial.isFull}</p>}
      <div className="actions">
        {isTrial && isOn && (
          <button
            type="button"
            disabled={isBusy}
            onClick={() => {
              act(async () => routes.stopRecording({ policyId: id }));
            }}
          >
            {texts.trial.stop}
          </button>
        )}
        {recording !== null && recording.steps > 0 && (
          <button
            type="button"
            className="primary"
            disabled={isBusy}
            onClick={() => {
              act(save);
            }}
          >
            {texts.trial.saveTest}
          </button>
        )}
        {isTrial && !isOn && (
          <DialogButton label={texts.trial.record} title={texts.trial.record}>
            {(close) => (
              <div className="stack">
                <p>{texts.trial.confirmRecord}</p>
                <div className="actions">
                  <button
                    type="button"
                    className="danger"
                    onClick={() => {
                      act(async () => routes.startRecording({ policyId: id }));
                      close();
                    }}
                  >
                    {texts.trial.recordConfirm}
                  </button>
                </div>
              </div>
            )}
          </DialogButton>
        )}
      </div>
    </section>
  );
}
