/** The buttons of a button block for one row. */
import type { Slot } from '@blockwork/react';
import { type GridRow, isOffered, pressed, type RowButton } from '@blockwork/react/rows';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Failure } from '../../ui/failure.js';
import { useSend } from '../policy-context.js';

interface ButtonsProps {
  readonly uuid: string;
  readonly uiMetaData: Slot['uiMetaData'];
  readonly row: GridRow;
}

export function ButtonsOfRow({ uuid, uiMetaData, row }: ButtonsProps): ReactNode {
  const send = useSend({ uuid });
  const { buttons = [] } = (uiMetaData ?? {}) as { readonly buttons?: readonly RowButton[] };
  const press = (button: RowButton, comment?: string): void => {
    send.mutate(pressed(button, row, comment));
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
