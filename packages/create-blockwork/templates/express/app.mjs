/** An Express application with the interface of the policies among its routes. */
import { AuthenticationError, createPolicyHandler, nodeListener } from '@blockwork/http-fetch';
import express from 'express';

export function createApp(engine, users) {
  const authenticate = (request) => signedIn(users, request.headers.get('authorization') ?? '');
  const app = express();
  // Before any parser of bodies: the interface reads its own, within its own limits.
  app.use('/api/v1', nodeListener(createPolicyHandler(engine, { authenticate })));
  app.get('/healthz', (_, response) => void response.sendStatus(engine.isOpen ? 200 : 503));
  app.get('/', (_, response) => void response.type('text').send('The rest of the program.\n'));
  return app;
}

function signedIn(users, authorization) {
  const caller = users.callerOf(authorization);
  if (caller === undefined) throw new AuthenticationError('missing', 'Sign in first.');
  return caller;
}
