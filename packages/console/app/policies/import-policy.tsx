/** Imports a policy file, chosen or dropped. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';
import { FileButton } from '../ui/file-button.js';

export function ImportPolicy(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isOver, setIsOver] = useState(false);
  const importing = useMutation({
    mutationFn: async (file: File) =>
      (await client.routes.importPolicyFile({ body: new Uint8Array(await file.arrayBuffer()) })).data,
    onSuccess: async ({ policy, findings }) => {
      await queries.invalidateQueries({ queryKey: ['policies'] });
      navigate(`/policies/${encodeURIComponent(policy.id)}/${findings.length === 0 ? 'live' : 'findings'}`);
    },
  });
  return (
    <div
      className={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => {
        setIsOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setIsOver(false);
        const file = event.dataTransfer.files[0];
        if (file !== undefined) importing.mutate(file);
      }}
    >
      <FileButton
        label={importing.isPending ? texts.policies.importing : texts.policies.import}
        className="primary"
        isBusy={importing.isPending}
        onFiles={([file]) => {
          if (file !== undefined) importing.mutate(file);
        }}
      />{' '}
      <span className="quiet">{texts.policies.drop}</span>
      {importing.error !== null && <Failure error={importing.error} />}
    </div>
  );
}
