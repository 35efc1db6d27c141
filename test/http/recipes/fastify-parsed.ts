import { toRequest } from '@blockwork/http-fetch';
import type { PolicyHandler } from '@blockwork/http-fetch';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';

export function fastifyParsedApp(handler: PolicyHandler): FastifyInstance {
  const app = fastify({ routerOptions: { maxParamLength: 1000 } });
  app.get('/', () => 'the rest of the application');
  app.addContentTypeParser('application/zip', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.all('/api/v1/*', (request) => handler(toRequest(request.raw, { body: request.body })));
  return app;
}
