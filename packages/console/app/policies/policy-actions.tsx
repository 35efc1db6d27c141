/** The owner's actions on a policy: status transitions, its file, and deletion. */
import { canTransition } from '@blockwork/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { DialogButton } from '../ui/dialog-button.js';
import { download } from '../ui/download.js';
import { Failure } from '../ui/failure.js';
import { FileButton } from '../ui/file-button.js';

interface ActionsProps {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly version: string;
}

type Change = () => Promise<{ readonly data: { readonly isValid: boolean } }>;

export function PolicyActions({ id, name, status, version }: ActionsProps): ReactNode {
  const { routes } = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const acting = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => act(),
    onSettled: async () => queries.invalidateQueries(),
  });
  const change = (to: Change): void => {
    acting.mutate(async () => {
      const { data } = await to();
      if (!data.isValid) throw new Error(texts.policies.invalid);
    });
  };
  const saveFile = async (): Promise<void> => {
    const { data } = await routes.exportPolicyFile({ policyId: id });
    download(data, `${name}.policy`, 'application/zip');
  };
  const replaceFile = async (file: File): Promise<void> => {
    const { data } = await routes.replacePolicyFile({ policyId: id, body: new Uint8Array(await file.arrayBuffer()) });
    if (data.findings.length > 0) navigate(`/policies/${encodeURIComponent(id)}/findings`);
  };
  const remove = async (): Promise<void> => {
    await routes.deletePolicy({ policyId: id });
    navigate('/policies');
  };
  const isBusy = acting.isPending;
  return (
    <div className="actions">
      {canTransition('replace', status) && (
        <>
          <Act
            label={texts.policies.dryRun}
            isBusy={isBusy}
            onClick={() => {
              change(async () => routes.dryRunPolicy({ policyId: id }));
            }}
          />
          <FileButton
            label={texts.policies.replace}
            isBusy={isBusy}
            onFiles={([file]) => {
              if (file !== undefined) acting.mutate(async () => replaceFile(file));
            }}
          />
          <Confirmed
            label={texts.policies.remove}
            question={texts.policies.confirmRemove(name)}
            onConfirm={() => {
              acting.mutate(remove);
            }}
          />
        </>
      )}
      {canTransition('draft', status) && (
        <Confirmed
          label={texts.policies.draft}
          question={texts.policies.confirmDraft}
          onConfirm={() => {
            change(async () => routes.draftPolicy({ policyId: id }));
          }}
        />
      )}
      <Act
        label={texts.policies.export}
        isBusy={isBusy}
        onClick={() => {
          acting.mutate(saveFile);
        }}
      />
      {canTransition('publish', status) && (
        <DialogButton label={texts.policies.publish} title={texts.policies.publish} className="primary">
          {(close) => (
            <PublishForm
              proposed={version}
              onPublish={(policyVersion) => {
                change(async () => routes.publishPolicy({ policyId: id, body: { policyVersion } }));
                close();
              }}
            />
          )}
        </DialogButton>
      )}
      {canTransition('discontinue', status) && (
        <DialogButton label={texts.policies.discontinue} title={texts.policies.discontinue}>
          {(close) => (
            <DiscontinueForm
              onDiscontinue={(date) => {
                change(async () => routes.discontinuePolicy({ policyId: id, body: date === null ? {} : { date } }));
                close();
              }}
            />
          )}
        </DialogButton>
      )}
      {acting.error !== null && <Failure error={acting.error} />}
    </div>
  );
}

interface ActProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly onClick: () => void;
}

const Act = ({ label, isBusy, onClick }: ActProps): ReactNode => (
  <button type="button" disabled={isBusy} onClick={onClick}>
    {label}
  </button>
);

interface ConfirmedProps {
  readonly label: string;
  readonly question: string;
  readonly onConfirm: () => void;
}

/** Confirms an irreversible action. */
const Confirmed = ({ label, question, onConfirm }: ConfirmedProps): ReactNode => (
  <DialogButton label={label} title={label}>
    {(close) => (
      <div className="stack">
        <p>{question}</p>
        <div className="actions">
          <button
            type="button"
            className="danger"
            onClick={() => {
              onConfirm();
              close();
            }}
          >
            {label}
          </button>
        </div>
      </div>
    )}
  </DialogButton>
);

interface PublishProps {
  /** The draft's version. */
  readonly proposed: string;
  readonly onPublish: (version: string) => void;
}

function PublishForm({ proposed, onPublish }: PublishProps): ReactNode {
  const [version, setVersion] = useState(proposed);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onPublish(version);
      }}
    >
      <label>
        {texts.policies.publishVersion}{' '}
        <input
          required
          pattern="\d+(\.\d+){0,2}"
          value={version}
          onChange={(event) => {
            setVersion(event.target.value);
          }}
        />
      </label>
      <button type="submit" className="primary">
        {texts.policies.publish}
      </button>
    </form>
  );
}

/** `onDiscontinue` gets the time in ISO 8601, or `null` for now. */
function DiscontinueForm({ onDiscontinue }: { readonly onDiscontinue: (date: string | null) => void }): ReactNode {
  const [date, setDate] = useState('');
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onDiscontinue(date === '' ? null : new Date(date).toISOString());
      }}
    >
      <p>{texts.policies.discontinueMeans}</p>
      <label>
        {texts.policies.discontinueAt}{' '}
        <input
          type="datetime-local"
          value={date}
          onChange={(event) => {
            setDate(event.target.value);
          }}
        />
      </label>
      <button type="submit" className="danger">
        {date === '' ? texts.policies.discontinueNow : texts.policies.discontinueThen}
      </button>
    </form>
  );
}
