/** Saves the proof of a document or of a mint, which anyone can verify without this server. */
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient } from '../api/server.js';
import { texts } from '../texts.js';
import { download } from '../ui/download.js';
import { Failure } from '../ui/failure.js';

interface ProofProps {
  readonly policyId: string;
  readonly documentId: string;
  /** Whether something was minted for the document. */
  readonly isMint: boolean;
}

export function ProofButton({ policyId, documentId, isMint }: ProofProps): ReactNode {
  const client = useClient();
  const saving = useMutation({
    mutationFn: async () => {
      const policy = client.policy(policyId);
      const bundle = isMint ? await policy.mintBundle(documentId) : await policy.documentBundle(documentId);
      download(JSON.stringify(bundle), `proof ${documentId}.json`, 'application/json');
    },
  });
  return (
    <>
      {saving.error !== null && <Failure error={saving.error} />}
      <p>
        <button
          type="button"
          disabled={saving.isPending}
          onClick={() => {
            saving.mutate();
          }}
        >
          {isMint ? texts.documents.mintProof : texts.documents.documentProof}
        </button>{' '}
        <span className="quiet">{texts.documents.proofHint}</span>
      </p>
    </>
  );
}
