/** Importing a policy file: chosen, or dropped. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { Failure } from '../ui/failure.js';

export function ImportPolicy(): ReactNode {
  const client = useClient();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const importing = useMutation({
    mutationFn: async (file: File) =>
      (await client.routes.importPolicyFile({ body: new Uint8Array(await file.arrayBuffer()) })).data,
    onSuccess: async ({ policy, findings }) => {
      await queries.invalidateQueries({ queryKey: ['policies'] });
      navigate(`/policies/${encodeURIComponent(policy.id)}/${findings.length === 0 ? 'live' : 'findings'}`);
    },
  });
  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file !== undefined) importing.mutate(file);
  };
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
        take(event.dataTransfer.files);
      }}
    >
      <button type="button" className="primary" disabled={importing.isPending} onClick={() => input.current?.click()}>
        {importing.isPending ? texts.policies.importing : texts.policies.import}
      </button>{' '}
      <span className="quiet">{texts.policies.drop}</span>
      <input
        ref={input}
        type="file"
        accept=".policy,.zip"
        hidden
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
      {importing.error !== null && <Failure error={importing.error} />}
    </div>
  );
}
