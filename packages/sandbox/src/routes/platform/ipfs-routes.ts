/** Files by their content, as forms of the web client upload them. */
import { SandboxError } from '../../errors.js';
import { created, download, type SandboxCall, type SandboxReply, type SandboxRoute } from '../../requests/endpoint.js';
import { callerOf } from '../../requests/person.js';
import { trialOf } from '../trials/own-trial.js';
import type { RouteDeps } from '../route-deps.js';

export function ipfsRoutes(deps: RouteDeps): SandboxRoute[] {
  const { files } = deps.books;
  const add = async ({ body, person }: SandboxCall): Promise<SandboxReply> => {
    const { did: owner } = callerOf(await person());
    const content = body as Uint8Array;
    if (content.length === 0) throw new SandboxError('FILE_REFUSED', { reason: 'it is empty' });
    // Loaded with the first file.
    const { cidOf } = await import('@blockwork/ledger-hedera');
    const id = cidOf(content);
    // The same content is the same file, whoever adds it.
    if (files.get(id) === undefined) await files.put({ id, owner, content: Buffer.from(content).toString('base64') });
    return created(id);
  };
  const get = ({ params }: SandboxCall): SandboxReply => {
    const { cid = '' } = params;
    const file = files.get(cid);
    if (file === undefined) throw new SandboxError('FILE_UNKNOWN', { cid });
    return download(cid, 'application/octet-stream', Buffer.from(file.content, 'base64'));
  };
  return [
    { method: 'POST', path: '/ipfs/file', body: 'file', handle: add },
    {
      method: 'POST',
      path: '/ipfs/file/dry-run/{policyId}',
      body: 'file',
      handle: async (call) => {
        await trialOf(deps, call);
        return add(call);
      },
    },
    { method: 'GET', path: '/ipfs/file/{cid}', handle: get },
    { method: 'GET', path: '/ipfs/file/{cid}/dry-run', handle: get },
  ];
}
