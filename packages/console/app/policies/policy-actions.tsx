/** The owner's actions on a policy: status transitions, its file, and deletion. */
import { canTransition } from '@blockwork/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { DialogButton } from '../ui/dialog-button.js';
import { download } from '../ui/download.js';
import { Failure } from '../ui/failure.js';
import { FileButton } from '../ui/file-button.js';
import { DiscontinueForm, PublishForm } from './transition-forms.js';

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
