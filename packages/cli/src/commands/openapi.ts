/** `blockwork openapi`: the HTTP interface as an OpenAPI document. */
import { openApiDocument } from '@blockwork/contract';
import { textOption, type CommandRun } from '../line/command.js';
import { exitCodes } from '../line/exit-codes.js';

/** The document is JSON either way. */
export const run: CommandRun = async (input, io) => {
  const document = openApiDocument({ prefix: textOption(input, 'prefix') ?? '/api/v1' });
  await io.write(`${JSON.stringify(document, null, 2)}\n`);
  return exitCodes.ok;
};
