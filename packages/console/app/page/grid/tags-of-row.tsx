/** The tags of a row: lists and adds them, and deletes the user's own. */
import type { GridRow } from '@blockwork/react/rows';
import { useContext, useState, type ReactNode } from 'react';
import { texts } from '../../texts.js';
import { DialogButton } from '../../ui/dialog-button.js';
import { Failure } from '../../ui/failure.js';
import { dateText } from '../../ui/format.js';
import { JsonView } from '../../ui/json-view.js';
import { PolicyContext, useSend } from '../policy-context.js';
import { SendButton } from '../send-button.js';

interface Tag {
  readonly uuid: string;
  readonly name: string;
  readonly description?: string;
  readonly owner: string;
  readonly date: string;
  readonly document?: unknown;
}

interface TagsProps {
  readonly uuid: string;
  readonly row: GridRow;
}

export default function TagsOfRow({ uuid, row }: TagsProps): ReactNode {
  const { tags } = (row.blocks?.[uuid] ?? {}) as { readonly tags?: { readonly tags?: readonly Tag[] } };
  const rowTags = tags?.tags ?? [];
  return (
    <div className="actions">
      {rowTags.map((tag) => (
        <span key={tag.uuid} className="mark" title={tag.description}>
          {tag.name}
        </span>
      ))}
      <DialogButton label={texts.rows.tags(rowTags.length)} title={texts.rows.tagsOf}>
        {() => (
          <div className="stack">
            {rowTags.length === 0 ? (
              <p className="quiet">{texts.rows.noTags}</p>
            ) : (
              <ul className="plain stack">
                {rowTags.map((tag) => (
                  <TagOfRow key={tag.uuid} tag={tag} uuid={uuid} />
                ))}
              </ul>
            )}
            <NewTag uuid={uuid} row={row} />
          </div>
        )}
      </DialogButton>
    </div>
  );
}

function TagOfRow({ tag, uuid }: { readonly tag: Tag; readonly uuid: string }): ReactNode {
  const { person } = useContext(PolicyContext);
  const send = useSend({ uuid });
  return (
    <li className="spread">
      <div>
        <strong>{tag.name}</strong> {tag.description}
        <p className="quiet">
          {tag.owner} · {dateText(tag.date)}
        </p>
        {tag.document != null && <JsonView value={tag.document} />}
      </div>
      {tag.owner === person && (
        <SendButton send={send} data={{ operation: 'delete', uuid: tag.uuid }}>
          {texts.rows.removeTag(tag.name)}
        </SendButton>
      )}
      {send.error !== null && <Failure error={send.error} />}
    </li>
  );
}

function NewTag({ uuid, row }: TagsProps): ReactNode {
  const send = useSend({ uuid });
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        const onSuccess = (): void => {
          setName('');
          setDescription('');
        };
        send.mutate({ operation: 'create', tag: { name, description, localTarget: row.id } }, { onSuccess });
      }}
    >
      <label>
        {texts.rows.tagName}
        <input
          className="form-control"
          required
          maxLength={100}
          value={name}
          onChange={(event) => {
            setName(event.target.value);
          }}
        />
      </label>
      <label>
        {texts.rows.tagDescription}
        <textarea
          rows={2}
          maxLength={2000}
          value={description}
          onChange={(event) => {
            setDescription(event.target.value);
          }}
        />
      </label>
      <button type="submit" className="primary" disabled={send.isPending}>
        {texts.rows.addTag}
      </button>
      {send.error !== null && <Failure error={send.error} />}
    </form>
  );
}
