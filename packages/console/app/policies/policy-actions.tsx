/** What its owner can do with a policy: the transitions that its status allows. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Client } from '@blockwork/client';
import { useState, type ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { DialogButton } from '../ui/dialog-button.js';
import { Failure } from '../ui/failure.js';

type Action = 'dryRunPolicy' | 'draftPolicy' | 'discontinuePolicy';

const actionsOf: Readonly<Record<string, readonly Action[]>> = {
  DRAFT: ['dryRunPolicy'],
  'DRY-RUN': ['draftPolicy'],
  PUBLISH: ['discontinuePolicy'],
};

const labels: Readonly<Record<Action, string>> = {
  dryRunPolicy: texts.policies.dryRun,
  draftPolicy: texts.policies.draft,
  discontinuePolicy: texts.policies.discontinue,
};

type Change = () => Promise<{ readonly data: { readonly isValid: boolean } }>;

const changeTo: Readonly<Record<Action, (client: Client, policyId: string) => Change>> = {
  dryRunPolicy: (client, policyId) => async () => client.routes.dryRunPolicy({ policyId }),
  draftPolicy: (client, policyId) => async () => client.routes.draftPolicy({ policyId }),
  discontinuePolicy: (client, policyId) => async () => client.routes.discontinuePolicy({ policyId, body: {} }),
};

export function PolicyActions({ id, status }: { readonly id: string; readonly status: string }): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const changing = useMutation({
    mutationFn: async (change: Change) => {
      const { data } = await change();
      if (!data.isValid) throw new Error(texts.policies.invalid);
    },
    onSettled: async () => queries.invalidateQueries(),
  });
  const run = (action: Action): void => {
    if (action === 'draftPolicy' && !window.confirm(texts.policies.confirmDraft)) return;
    changing.mutate(changeTo[action](client, id));
  };
  return (
    <div className="actions">
      {(actionsOf[status] ?? []).map((action) => (
        <button
          key={action}
          type="button"
          disabled={changing.isPending}
          onClick={() => {
            run(action);
          }}
        >
          {labels[action]}
        </button>
      ))}
      {(status === 'DRAFT' || status === 'DRY-RUN') && (
        <DialogButton label={texts.policies.publish} title={texts.policies.publish} className="primary">
          {(close) => (
            <PublishForm
              onPublish={(policyVersion) => {
                changing.mutate(async () => client.routes.publishPolicy({ policyId: id, body: { policyVersion } }));
                close();
              }}
            />
          )}
        </DialogButton>
      )}
      {changing.error !== null && <Failure error={changing.error} />}
    </div>
  );
}

function PublishForm({ onPublish }: { readonly onPublish: (version: string) => void }): ReactNode {
  const [version, setVersion] = useState('1.0.0');
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onPublish(version);
      }}
    >
      <label>
        {texts.policies.publishVersion}
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
