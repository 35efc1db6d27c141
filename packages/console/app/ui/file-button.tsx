/** A button that opens a file picker, by default for policy files. */
import { useRef, type ReactNode } from 'react';

interface FileButtonProps {
  readonly label: string;
  readonly isBusy: boolean;
  readonly className?: string;
  /** File extensions and media types. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
  /** At least one; several only with `isMultiple`. */
  readonly onFiles: (files: readonly File[]) => void;
}

export function FileButton(props: FileButtonProps): ReactNode {
  const { label, isBusy, className, accept = '.policy,.zip,.json', isMultiple = false, onFiles } = props;
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
          // Reset, so that the same file can be chosen again.
          event.target.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
