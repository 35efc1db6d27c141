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

/** Use the screen's name as the key, so that another screen resets the error. */
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

  /** Browsers cache failed module loads, and a newer server has other files, so the whole page is reloaded. */
  readonly #reload = (): void => {
    loadSettings({ isFresh: true }).then(
      () => {
        window.location.reload();
      },
      // This page is better than the browser's error page for an unreachable server.
      () => undefined,
    );
  };
}
