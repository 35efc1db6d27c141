/** Forms for transitions that need input: the version to publish, the date of discontinuation. */
import { useState, type ReactNode } from 'react';
import { texts } from '../texts.js';

interface PublishProps {
  /** The draft's version. */
  readonly proposed: string;
  readonly onPublish: (version: string) => void;
}

export function PublishForm({ proposed, onPublish }: PublishProps): ReactNode {
  const [version, setVersion] = useState(proposed);
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onPublish(version);
      }}
    >
      <label>
        {texts.policies.publishVersion}{' '}
        <input
          required
          pattern="\d+(\.\d+){0,2}"
          value={version}
          onChange={(event) => {
            setVersion(event.target.value);
          }}
        />
      </label>
      <button type="submit" className="primary">
        {texts.policies.publish}
      </button>
    </form>
  );
}

/** `onDiscontinue` gets the time in ISO 8601, or `null` for now. */
export function DiscontinueForm({
  onDiscontinue,
}: {
  readonly onDiscontinue: (date: string | null) => void;
}): ReactNode {
  const [date, setDate] = useState('');
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        onDiscontinue(date === '' ? null : new Date(date).toISOString());
      }}
    >
      <p>{texts.policies.discontinueMeans}</p>
      <label>
        {texts.policies.discontinueAt}{' '}
        <input
          type="datetime-local"
          value={date}
          onChange={(event) => {
            setDate(event.target.value);
          }}
        />
      </label>
      <button type="submit" className="danger">
        {date === '' ? texts.policies.discontinueNow : texts.policies.discontinueThen}
      </button>
    </form>
  );
}
