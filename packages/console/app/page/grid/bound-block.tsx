/** A block in a row of a grid: buttons and votes act on the row, forms begin from it. */
import { lazy, type ReactNode } from 'react';
import { Failure } from '../../ui/failure.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Loading } from '../../ui/loading.js';
import { useSend, useTaggedBlock, type Slot } from '../policy-context.js';
import { ButtonsOfRow } from '../blocks/buttons.js';
import { cellText, withValue, type Column, type GridRow } from './rows.js';

const FormFields = lazy(async () => import('../form/form-fields.js'));

interface BoundProps {
  readonly tag: string;
  readonly row: GridRow;
  readonly column: Column;
}

/** Nothing where the block is not open to the user: the row is then only to look at. */
export function BoundBlock({ tag, row, column }: BoundProps): ReactNode {
  const { data: answer, isPending } = useTaggedBlock<Slot>(tag);
  if (isPending) return <Loading />;
  const text = cellText(column, row);
  if (answer === undefined) return text;
  switch (answer.blockType) {
    case 'buttonBlock':
      return <ButtonsOfRow uuid={answer.id} uiMetaData={answer.uiMetaData} row={row} />;
    case 'interfaceActionBlock':
      return <ActionOfRow answer={answer} row={row} />;
    case 'requestVcDocumentBlock':
      return (
        <DialogButton label={column.content || buttonText(answer)} title={buttonText(answer)}>
          {(close) => <FormFields uuid={answer.id} answer={answer as never} row={row} onSent={close} />}
        </DialogButton>
      );
    case 'multiSignBlock':
      return <Vote uuid={answer.id} row={row} />;
    default:
      return text;
  }
}

function buttonText({ uiMetaData, blockType }: Slot): string {
  const { content, title } = (uiMetaData ?? {}) as { readonly content?: string; readonly title?: string };
  return content || title || blockType;
}

function ActionOfRow({ answer, row }: { readonly answer: Slot; readonly row: GridRow }): ReactNode {
  const send = useSend({ uuid: answer.id });
  const { options = [] } = (answer.uiMetaData ?? {}) as {
    readonly options?: readonly { name: string; value: string; tag: string }[];
  };
  const { field = 'option.status' } = answer as Slot & { readonly field?: string };
  return (
    <div className="actions">
      {options.map(({ name, value }) => (
        <button
          key={name}
          type="button"
          disabled={send.isPending}
          onClick={() => {
            send.mutate(withValue(row, field, value));
          }}
        >
          {name}
        </button>
      ))}
      {send.error !== null && <Failure error={send.error} />}
    </div>
  );
}

interface VoteState {
  readonly status?: { readonly documentStatus?: string | null; readonly confirmationStatus?: string | null };
}

function Vote({ uuid, row }: { readonly uuid: string; readonly row: GridRow }): ReactNode {
  const send = useSend({ uuid });
  const { status } = (row.blocks?.[uuid] ?? {}) as VoteState;
  const mine = status?.documentStatus;
  if (status?.confirmationStatus != null) return status.confirmationStatus;
  if (mine != null && mine !== 'NEW') return mine;
  const vote = (choice: 'SIGNED' | 'DECLINED'): void => {
    send.mutate({ document: { id: row.id }, status: choice });
  };
  return (
    <div className="actions">
      <button
        type="button"
        onClick={() => {
          vote('SIGNED');
        }}
      >
        Sign
      </button>
      <button
        type="button"
        onClick={() => {
          vote('DECLINED');
        }}
      >
        Decline
      </button>
      {send.error !== null && <Failure error={send.error} />}
    </div>
  );
}
