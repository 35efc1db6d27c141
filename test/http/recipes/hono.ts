import type { PolicyHandler } from '@blockwork/http-fetch';
import { Hono } from 'hono';

export function honoApp(handler: PolicyHandler): Hono {
  const app = new Hono();
  app.get('/', (context) => context.text('the rest of the application'));
  app.all('/api/v1/*', (context) => handler(context.req.raw));
  return app;
}
