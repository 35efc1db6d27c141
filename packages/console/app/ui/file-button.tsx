/** A button that opens a file picker, by default for policy files. */
import { useRef, type ReactNode } from 'react';

interface FileButtonProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly className?: string;
  /** Endings and types of files. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
  /** At least one; more only where several may be chosen. */
  readonly onFiles: (files: readonly File[]) => void;
}

export function FileButton(props: FileButtonProps): ReactNode {
  const { label, isBusy, className, accept = '.policy,.zip', isMultiple = false, onFiles } = props;
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={className} disabled={isBusy} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={isMultiple}
        aria-label={label}
        hidden
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // The same file may be chosen again.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
