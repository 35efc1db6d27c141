/** Records a trial, and saves it as a test. */
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { DialogButton } from '../ui/dialog-button.js';
import { download } from '../ui/download.js';
import { dateText } from '../ui/format.js';
import type { TrialCardProps } from './act.js';

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

export function RecordingCard({ id, name, recording, isTrial, isBusy, act }: RecordingProps): ReactNode {
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
