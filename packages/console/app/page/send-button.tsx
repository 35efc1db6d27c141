/** A button that sends fixed data, disabled while a request is in progress. */
import type { UseMutationResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

interface SendButtonProps {
  /** Of `useSend`. */
  readonly send: UseMutationResult;
  readonly data: unknown;
  readonly className?: string;
  readonly children: ReactNode;
}

export const SendButton = ({ send, data, className, children }: SendButtonProps): ReactNode => (
  <button
    type="button"
    className={className}
    disabled={send.isPending}
    onClick={() => {
      send.mutate(data);
    }}
  >
    {children}
  </button>
);
