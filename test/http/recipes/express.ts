import { nodeListener } from '@blockwork/http-fetch';
import type { PolicyHandler } from '@blockwork/http-fetch';
import express from 'express';

export function expressApp(handler: PolicyHandler): express.Express {
  const app = express();
  // May also come before the body parsers; then they do not read the bodies of the interface.
  app.use(express.json({ limit: '1mb', strict: false }));
  app.get('/', (_, response) => void response.send('the rest of the application'));
  app.use('/api/v1', nodeListener(handler));
  return app;
}
