/** Starts the page. */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ServerProvider } from './api/server.js';
import { queryClient } from './api/query-client.js';
import { loadSettings } from './api/settings.js';
import { Shell } from './shell/shell.js';
import { notify } from './session/notice.js';
import { signInByCode } from './session/one-time-code.js';
import { finishSignIn } from './session/provider/finish.js';
import { texts } from './texts.js';
import './styles.css';

// What it answers is there by the time that somebody needs it; a failure is told by whoever does.
loadSettings().catch(() => undefined);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the console.');
const page = createRoot(root);
page.render(<p className="quiet padded">{texts.loading}</p>);
notify((await signInByCode(texts.signIn.codeRefused)) ?? (await finishSignIn()));
page.render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ServerProvider>
        <Router hook={useHashLocation}>
          <Shell />
        </Router>
      </ServerProvider>
    </QueryClientProvider>
  </StrictMode>,
);
