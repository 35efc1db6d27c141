/** The entry point of the page. */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { earlyClient, ServerProvider } from './api/server.js';
import { queryClient } from './api/query-client.js';
import { loadSettings } from './api/settings.js';
import { askEarly } from './policies/policies-screen.js';
import { useHashPath } from './shell/hash-location.js';
import { Shell } from './shell/shell.js';
import { activePerson } from './session/people.js';
import { notify } from './session/notice.js';
import { signInByCode } from './session/one-time-code.js';
import { finishSignIn } from './session/provider/finish.js';
import { texts } from './texts.js';
import { Loading } from './ui/loading.js';
import './styles.css';

// Already fetched through the page's preload link; whoever awaits it reports a failure.
const settings = loadSettings().catch(() => undefined);

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the console.');
const page = createRoot(root);
page.render(<Loading isPadded />);
await settings;
notify((await signInByCode(texts.signIn.codeRefused)) ?? (await finishSignIn()));
const person = activePerson();
const client = person === null ? null : earlyClient(person.token);
if (person !== null && client !== null) askEarly(client, person.did);
page.render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ServerProvider>
        <Router hook={useHashPath}>
          <Shell />
        </Router>
      </ServerProvider>
    </QueryClientProvider>
  </StrictMode>,
);
