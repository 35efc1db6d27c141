import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { nodeListener } from '@blockwork/http-fetch';
import type { PolicyHandler } from '@blockwork/http-fetch';

export function nodeServer(handler: PolicyHandler): Server {
  const policies = nodeListener(handler);
  return createServer((request, response) => {
    if (request.url === '/') response.end('the rest of the application');
    else void policies(request, response);
  });
}
