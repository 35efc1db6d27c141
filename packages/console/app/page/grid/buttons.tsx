/** The buttons of a button block for one row. */
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Failure } from '../../ui/failure.js';
import { valueAt, valueText } from '../../ui/format.js';
import { useSend, type Slot } from '../policy-context.js';
import { withValue, type GridRow } from './rows.js';

interface Button {
  readonly tag: string;
  readonly name: string;
  readonly type?: string;
  readonly field?: string;
  readonly value?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly filters?: readonly { readonly type: string; readonly field: string; readonly value: string }[];
}

interface ButtonsProps {
  readonly uuid: string;
  readonly uiMetaData: Slot['uiMetaData'];
  readonly row: GridRow;
}

export function ButtonsOfRow({ uuid, uiMetaData, row }: ButtonsProps): ReactNode {
  const send = useSend({ uuid });
  const { buttons = [] } = (uiMetaData ?? {}) as { readonly buttons?: readonly Button[] };
  const press = ({ tag, field = '', value }: Button, comment?: string): void => {
    const changed = field === '' ? row : withValue(row, field, value);
    send.mutate({ tag, document: comment === undefined ? changed : withValue(changed, 'option.comment', [comment]) });
  };
  return (
    <div className="actions">
      {buttons
        .filter((button) => isOffered(button, row))
        .map((button) =>
          button.type === 'selector-dialog' ? (
            <DialogButton key={button.tag} label={button.name} title={button.title || button.name}>
              {(close) => (
                <CommentForm
                  name={button.name}
                  description={button.description}
                  onSend={(comment) => {
                    press(button, comment);
                    close();
                  }}
                />
              )}
            </DialogButton>
          ) : (
            <button
              key={button.tag}
              type="button"
              disabled={send.isPending}
              onClick={() => {
                press(button);
              }}
            >
              {button.name}
            </button>
          ),
        )}
      {send.error !== null && <Failure error={send.error} />}
    </div>
  );
}

/** Hides buttons whose value the row already has. The server makes the final decision. */
function isOffered({ field = '', value, filters = [] }: Button, row: GridRow): boolean {
  if (field !== '' && valueAt(row, field) === value) return false;
  return filters.every((filter) => {
    const isEqual = valueText(valueAt(row, filter.field)) === filter.value;
    return filter.type === 'not_equal' ? !isEqual : isEqual;
  });
}

interface CommentProps {
  /** The button's label. */
  readonly name: string;
  readonly description: string | undefined;
  readonly isBusy?: boolean;
  readonly failure?: ReactNode;
  readonly onSend: (comment: string) => void;
}

export function CommentForm({ name, description, isBusy = false, failure, onSend }: CommentProps): ReactNode {
  const [comment, setComment] = useState('');
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(comment);
      }}
    >
      {description && <p>{description}</p>}
      <label>
        {texts.page.comment}
        <textarea
          required
          rows={3}
          value={comment}
          onChange={(event) => {
            setComment(event.target.value);
          }}
        />
      </label>
      <button type="submit" className="primary" disabled={isBusy}>
        {name}
      </button>
      {failure}
    </form>
  );
}
