/** An error boundary around a lazily loaded part, so that its failure leaves the rest of the page usable. */
import { Component, Suspense, type ReactNode } from 'react';
import { loadSettings } from '../api/settings.js';
import { texts } from '../texts.js';
import { Failure } from './failure.js';
import { Loading } from './loading.js';

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | null;
}

/** Give it the name of the screen as its key: another screen begins anew. */
export class ScreenBoundary extends Component<Props, State> {
  override readonly state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error !== null) return <Failure error={new Error(texts.noScreen(error.message))} onRetry={this.#reload} />;
    return <Suspense fallback={<Loading isPadded />}>{this.props.children}</Suspense>;
  }

  /** Browsers keep a script that could not be loaded as failed, and a newer server has others: the whole page begins anew, where it is. */
  readonly #reload = (): void => {
    loadSettings({ isFresh: true }).then(
      () => {
        window.location.reload();
      },
      // A page that is there is better than the browser's own about a server that is not.
      () => undefined,
    );
  };
}
