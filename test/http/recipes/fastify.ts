import { toRequest } from '@blockwork/http-fetch';
import type { PolicyHandler } from '@blockwork/http-fetch';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';

export function fastifyApp(handler: PolicyHandler): FastifyInstance {
  const app = fastify({ routerOptions: { maxParamLength: 1000 } });
  app.get('/', () => 'the rest of the application');
  app.register(async (policies) => {
    // The interface reads bodies itself, and answers what is wrong with them.
    policies.removeAllContentTypeParsers();
    policies.addContentTypeParser('*', (_request, _body, done) => done(null));
    policies.all('/api/v1/*', (request) => handler(toRequest(request.raw)));
  });
  return app;
}
