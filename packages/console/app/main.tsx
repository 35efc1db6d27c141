/** Starts the page. */
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { ServerProvider } from './api/server.js';
import { queryClient } from './api/query-client.js';
import { Shell } from './shell/shell.js';
import { signInByCode } from './session/one-time-code.js';
import { texts } from './texts.js';
import './styles.css';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element for the console.');
const problem = await signInByCode(texts.signIn.codeRefused);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ServerProvider>
        <Router hook={useHashLocation}>
          <Shell problem={problem} />
        </Router>
      </ServerProvider>
    </QueryClientProvider>
  </StrictMode>,
);
