/** A line of text with a copy button. */
import { useState, type ReactNode } from 'react';
import { texts } from '../texts.js';

interface CopyLineProps {
  readonly line: string;
  /** The button's accessible name. */
  readonly label: string;
}

export function CopyLine({ line, label }: CopyLineProps): ReactNode {
  const [message, setSaid] = useState('');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(line);
      setSaid(texts.copy.copied);
    } catch {
      setSaid(texts.copy.notCopied);
    }
  };
  return (
    <div className="copy-line">
      <pre className="json" tabIndex={0}>
        {line}
      </pre>
      <button type="button" aria-label={label} onClick={() => void copy()}>
        {texts.copy.copy}
      </button>
      <span role="status" className="quiet">
        {message}
      </span>
    </div>
  );
}
