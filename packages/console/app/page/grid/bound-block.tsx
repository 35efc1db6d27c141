/** A block bound to a grid's column: it acts on the row, or is prefilled from it. */
import { lazy, Suspense, useContext, type ReactNode } from 'react';
import { Failure } from '../../ui/failure.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Loading } from '../../ui/loading.js';
import { openAnswer, PolicyContext, useSend, useTaggedBlock, type Slot } from '../policy-context.js';
import { ButtonsOfRow } from './buttons.js';
import { textOf, titleOf } from '../titles.js';
import type { FormAnswer } from '../form/form-fields.js';
import { AskingButton } from './asking-button.js';
import { ButtonAddon, ChoiceAddon } from './row-addons.js';
import { cellText, withValue, type Column, type GridRow } from './rows.js';
import { VoteOnRow } from './votes.js';

const FormFields = lazy(async () => import('../form/form-fields.js'));
const TagsOfRow = lazy(async () => import('./tags-of-row.js'));

interface BoundProps {
  readonly tag: string;
  readonly row: GridRow;
  readonly column: Column;
}

type BoundAnswer = Slot & { readonly hideWhenDiscontinued?: boolean };

/** Renders nothing if the block is not open to the user; the row is then read-only. */
export function BoundBlock({ tag, row, column }: BoundProps): ReactNode {
  const { status } = useContext(PolicyContext);
  const query = useTaggedBlock<BoundAnswer>(tag);
  if (query.isPending) return <Loading />;
  const answer = openAnswer(query);
  const text = cellText(column, row);
  if (answer === undefined) return text;
  if (answer.hideWhenDiscontinued === true && status === 'DISCONTINUED') return text;
  switch (answer.blockType) {
    case 'buttonBlock':
      return <ButtonsOfRow uuid={answer.id} uiMetaData={answer.uiMetaData} row={row} />;
    case 'buttonBlockAddon':
      return <ButtonAddon answer={answer} row={row} />;
    case 'dropdownBlockAddon':
      return <ChoiceAddon answer={answer} row={row} title={column.title ?? ''} />;
    case 'integrationButtonBlock':
    case 'transformationButtonBlock':
      return <AskingButton answer={answer} row={row} />;
    case 'interfaceActionBlock':
      return <ActionOfRow answer={answer} row={row} />;
    case 'requestVcDocumentBlock':
      return <FormOfRow answer={answer as never} row={row} label={column.content} />;
    case 'requestVcDocumentBlockAddon':
      return <FormOfRow answer={answer as never} row={row} />;
    case 'multiSignBlock':
      return <VoteOnRow uuid={answer.id} row={row} />;
    case 'tagsManager':
      return (
        <Suspense fallback={<Loading />}>
          <TagsOfRow uuid={answer.id} row={row} />
        </Suspense>
      );
    default:
      return text;
  }
}

interface FormProps {
  readonly answer: FormAnswer & {
    /** Of a form that is an addon of the grid. */
    readonly buttonName?: string;
    readonly dialogTitle?: string;
    readonly dialogDescription?: string;
  };
  readonly row: GridRow;
  /** Of the column. */
  readonly label?: string | undefined;
}

function FormOfRow({ answer, row, label }: FormProps): ReactNode {
  const name = answer.buttonName || textOf(answer.uiMetaData, 'content') || titleOf(answer);
  return (
    <DialogButton label={label || name} title={answer.dialogTitle || name}>
      {(close) => (
        <Suspense fallback={<Loading />}>
          {answer.dialogDescription && <p className="quiet">{answer.dialogDescription}</p>}
          <FormFields uuid={answer.id} answer={answer} row={row} onSent={close} />
        </Suspense>
      )}
    </DialogButton>
  );
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
