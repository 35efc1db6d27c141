/** A one-line text input with its button. */
import { useState, type ReactNode } from 'react';

export interface TextFormProps {
  readonly label: string;
  readonly button: string;
  readonly initial?: string;
  readonly required?: boolean;
  readonly onSubmit: (text: string) => void;
}

export function TextForm({ label, button, initial = '', required = false, onSubmit }: TextFormProps): ReactNode {
  const [text, setText] = useState(initial);
  return (
    <form
      className="inline"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(text);
      }}
    >
      <input
        required={required}
        aria-label={label}
        placeholder={label}
        size={Math.min(48, Math.max(20, label.length))}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      <button type="submit">{button}</button>
    </form>
  );
}
