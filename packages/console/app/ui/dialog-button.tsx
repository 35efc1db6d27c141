/** A button that opens a dialog. */
import { useRef, useState, type ReactNode } from 'react';
import { texts } from '../texts.js';

export function DialogButton({
  label,
  title,
  className,
  children,
}: {
  readonly label: string;
  readonly title: string;
  readonly className?: string;
  readonly children: (close: () => void) => ReactNode;
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => dialog.current?.close();
  return (
    <>
      <button
        type="button"
        className={className}
        onClick={() => {
          setIsOpen(true);
          dialog.current?.showModal();
        }}
      >
        {label}
      </button>
      <dialog
        ref={dialog}
        aria-label={title}
        onClose={() => {
          setIsOpen(false);
        }}
      >
        <div className="spread">
          <h2>{title}</h2>
          <button type="button" onClick={close}>
            {texts.close}
          </button>
        </div>
        {isOpen && children(close)}
      </dialog>
    </>
  );
}
