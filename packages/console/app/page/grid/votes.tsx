/** The vote on a document that needs several signatures. */
import type { ReactNode } from 'react';
import { texts } from '../../texts.js';
import { Failure } from '../../ui/failure.js';
import { useSend } from '../policy-context.js';
import { SendButton } from '../send-button.js';
import type { GridRow } from './rows.js';

interface VoteState {
  readonly status?: { readonly documentStatus?: string | null; readonly confirmationStatus?: string | null };
}

const choices = [
  ['SIGNED', texts.rows.sign],
  ['DECLINED', texts.rows.decline],
] as const;

export function VoteOnRow({ uuid, row }: { readonly uuid: string; readonly row: GridRow }): ReactNode {
  const send = useSend({ uuid });
  const { status } = (row.blocks?.[uuid] ?? {}) as VoteState;
  const mine = status?.documentStatus;
  if (status?.confirmationStatus != null) return status.confirmationStatus;
  if (mine != null && mine !== 'NEW') return mine;
  return (
    <div className="actions">
      {choices.map(([choice, name]) => (
        <SendButton key={choice} send={send} data={{ document: { id: row.id }, status: choice }}>
          {name}
        </SendButton>
      ))}
      {send.error !== null && <Failure error={send.error} />}
    </div>
  );
}
