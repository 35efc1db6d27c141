/** `blockwork openapi`: the HTTP interface, or the blocks of one policy, as an OpenAPI document. */
import type { OpenApiDocument } from '@blockwork/contract';
import { textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';
import { contractDocument } from './contract-document.js';

/** The output is JSON, with or without `--json`. */
export const run: CommandRun = async (input, io) => {
  const [path] = input.args;
  const prefix = textOption(input, 'prefix') ?? '/api/v1';
  const document = path === undefined ? contractDocument(prefix) : await ofPolicy(path, prefix);
  await io.write(`${JSON.stringify(document, null, 2)}\n`);
  return exitCodes.ok;
};

async function ofPolicy(path: string, prefix: string): Promise<OpenApiDocument> {
  // Without a policy, the engine and its blocks need not be loaded.
  const [{ openPolicyFile }, { policyOpenApiDocument }] = await Promise.all([
    import('../policies/open-policy.js'),
    import('@blockwork/contract'),
  ]);
  const { name, about, interface: described } = await openPolicyFile(path);
  const { version, description } = about;
  return policyOpenApiDocument({ name, version, description, interface: described() }, { prefix });
}
