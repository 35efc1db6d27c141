/** A button that asks for a policy file. */
import { useRef, type ReactNode } from 'react';

interface FileButtonProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly className?: string;
  readonly onFile: (file: File) => void;
}

export function FileButton({ label, isBusy, className, onFile }: FileButtonProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={className} disabled={isBusy} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        accept=".policy,.zip"
        aria-label={label}
        hidden
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file may be chosen again.
          event.target.value = '';
          if (file !== undefined) onFile(file);
        }}
      />
    </>
  );
}
