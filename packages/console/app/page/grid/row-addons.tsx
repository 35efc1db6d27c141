/** Row addons of a grid: a button, and a choice among other documents. */
import type { Slot } from '@blockwork/react';
import { type GridRow, valueAt, valueText } from '@blockwork/react/rows';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Failure } from '../../ui/failure.js';
import { CommentForm } from './buttons.js';
import { useSend } from '../policy-context.js';
import { SendButton } from '../send-button.js';

export interface AddonProps<Answer> {
  readonly answer: Slot & Answer;
  readonly row: GridRow;
}

interface ButtonAnswer {
  readonly name?: string;
  /** Whether the button asks for a text. */
  readonly dialog?: boolean;
  readonly dialogOptions?: { readonly dialogTitle?: string; readonly dialogDescription?: string };
}

export function ButtonAddon({ answer, row }: AddonProps<ButtonAnswer>): ReactNode {
  const send = useSend({ uuid: answer.id });
  const { dialog, dialogOptions = {} } = answer;
  const name = answer.name || texts.page.send;
  const failure = send.error !== null && <Failure error={send.error} />;
  if (dialog === true) {
    return (
      <DialogButton label={name} title={dialogOptions.dialogTitle || name}>
        {(close) => (
          <CommentForm
            name={name}
            description={dialogOptions.dialogDescription}
            isBusy={send.isPending}
            failure={failure}
            onSend={(dialogResult) => {
              send.mutate({ documentId: row.id, dialogResult }, { onSuccess: close });
            }}
          />
        )}
      </DialogButton>
    );
  }
  return (
    <div className="actions">
      <SendButton send={send} data={{ documentId: row.id }}>
        {name}
      </SendButton>
      {failure}
    </div>
  );
}

interface ChoiceAnswer {
  /** Path in the row to the field that takes the value. */
  readonly field?: string;
  readonly documents?: readonly { readonly name: unknown; readonly optionValue: unknown; readonly value: string }[];
}

interface ChoiceProps extends AddonProps<ChoiceAnswer> {
  /** Title of the column, for screen readers. */
  readonly title: string;
}

/** Maximum number of choices rendered in each row; longer lists open in a dialog. */
const IN_THE_ROW_AT_MOST = 50;

export function ChoiceAddon(props: ChoiceProps): ReactNode {
  const { answer, row, title } = props;
  const { documents = [], field = '' } = answer;
  if (documents.length === 0) return <span className="quiet">{texts.rows.nothingToChoose}</span>;
  const has = valueAt(row, field);
  // Of choices with equal values, only the first is shown.
  const current = documents.find(({ optionValue }) => optionValue !== null && optionValue === has);
  if (documents.length <= IN_THE_ROW_AT_MOST) return <ChoiceForm {...props} current={current?.value ?? ''} />;
  return (
    <div className="actions">
      {valueText(current?.name)}
      <DialogButton label={texts.rows.chosen} title={title || texts.rows.chosen}>
        {(close) => <ChoiceForm {...props} current={current?.value ?? ''} onSent={close} />}
      </DialogButton>
    </div>
  );
}

interface ChoiceFormProps extends ChoiceProps {
  readonly current: string;
  readonly onSent?: () => void;
}

/** Submitted explicitly, so that browsing the choices by keyboard sends nothing. */
function ChoiceForm({ answer, row, title, current, onSent }: ChoiceFormProps): ReactNode {
  const send = useSend({ uuid: answer.id });
  const [picked, pick] = useState<string | null>(null);
  const chosen = picked ?? current;
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(
          { documentId: row.id, dropdownDocumentId: chosen },
          {
            onSuccess: () => {
              pick(null);
              onSent?.();
            },
          },
        );
      }}
    >
      <select
        aria-label={title || texts.rows.chosen}
        value={chosen}
        required
        onChange={(event) => {
          pick(event.target.value);
        }}
      >
        {current === '' && <option value="" />}
        {(answer.documents ?? []).map(({ name, value }) => (
          <option key={value} value={value}>
            {valueText(name) || value}
          </option>
        ))}
      </select>
      <button type="submit" disabled={send.isPending || chosen === current}>
        {texts.rows.chosen}
      </button>
      {send.error !== null && <Failure error={send.error} />}
    </form>
  );
}
