/** An error message from the server, with the request id to find it in the log. */
import { BlockworkApiError } from '@blockwork/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { texts } from '../texts.js';

export function Failure({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }): ReactNode {
  return (
    <div className="failure" role="alert">
      <p>{error.message}</p>
      {error instanceof BlockworkApiError && <Facts error={error} />}
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {texts.retry}
        </button>
      )}
    </div>
  );
}

function Facts({ error: { error, details, requestId } }: { readonly error: BlockworkApiError }): ReactNode {
  return (
    <>
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path === '' ? '/' : path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p className="quiet">
        <code>{error}</code>{' '}
        {requestId !== undefined && (
          <Link href={`/operator?request=${encodeURIComponent(requestId)}`} title={texts.toLog}>
            <code>{requestId}</code>
          </Link>
        )}
      </p>
    </>
  );
}
