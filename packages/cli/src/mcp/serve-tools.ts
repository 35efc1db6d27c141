/** Serves the tools and the documentation over a pair of streams, until the client closes its end. */
import { Readable, Writable } from 'node:stream';
import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';
import type { Io } from '../line/io.js';
import { buildVersion } from '../line/version.js';
import { answerOf, errorAnswer } from './answer.js';
import { documentation, type Page } from './documentation.js';
import type { Session, Tool } from './tools/tool.js';

/** Bytes of one message; one that is longer ends the connection. */
const MESSAGE_BYTES = 10 * 1024 * 1024;

export async function serveTools(tools: readonly Tool[], session: Session, io: Io): Promise<void> {
  const pages = await documentation();
  const input = Readable.from(io.input);
  const transport = new StdioServerTransport(input, outputOf(io), { maxBufferSize: MESSAGE_BYTES });
  const ended = new Promise<void>((resolve) => {
    input.once('close', resolve);
  });
  const handle = serveStdio(() => serverOf(tools, session, pages), {
    transport,
    onerror: (error) => {
      io.printError(`blockwork mcp: ${error.message}\n`);
    },
  });
  await Promise.race([ended, io.stopped()]);
  await handle.close();
  input.destroy();
}

function outputOf(io: Io): Writable {
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      io.write(text).then(() => {
        done();
      }, done);
    },
  });
}

function serverOf(tools: readonly Tool[], session: Session, pages: ReadonlyMap<string, Page>): McpServer {
  const server = new McpServer({ name: 'blockwork', title: 'Blockwork', version: buildVersion() }, { instructions });
  for (const each of tools) {
    const { name, title, description, input, hints } = each;
    const config = { title, description, inputSchema: unchecked(input), annotations: hints };
    server.registerTool(name, config, async (given: unknown) => {
      try {
        return answerOf(await each.run(checked(each, given) as never, session), each.narrower);
      } catch (error) {
        return errorAnswer(error);
      }
    });
  }
  for (const [path, { title, text }] of pages) {
    const mimeType = path.endsWith('.json') ? 'application/json' : 'text/markdown';
    const uri = `blockwork://${path}`;
    server.registerResource(path, uri, { title, mimeType }, () => ({ contents: [{ uri, mimeType, text }] }));
  }
  return server;
}

const instructions = `Blockwork runs policies: trees of blocks with roles, schemas and tokens. To write one: list_block_types and describe_block_type, create_policy, edit_policy in small steps, and after each mend what it says is wrong. Then start_trial, add_person, read_block and send_to_block as each of the people; explore_policy finds what nobody thought of; compare_policies tells what was changed. Blocks are named by their tags. The pages blockwork://docs/... explain the rest.`;

/** Described to the client by the schema, and checked by `checked`, whose errors say what is wrong where. */
function unchecked(schema: Tool['input']): StandardSchemaWithJSON {
  const { '~standard': standard } = schema as unknown as StandardSchemaWithJSON;
  return { '~standard': { ...standard, validate: (value) => ({ value }) } };
}

/** Throws `INPUT_INVALID` with the places. */
function checked({ name, input }: Tool, given: unknown): unknown {
  const read = input.safeParse(given ?? {});
  if (read.success) return read.data;
  const details = read.error.issues.slice(0, 20).map(({ path, message }) => ({
    path: path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message,
  }));
  const first = details[0] === undefined ? '' : ` ${details[0].path || 'It'}: ${details[0].message}.`;
  throw new InvalidInput(`The input of ${name} is not valid.${first}`, details);
}

class InvalidInput extends CommandError {
  constructor(
    message: string,
    readonly details: readonly { readonly path: string; readonly message: string }[],
  ) {
    super(exitCodes.usage, message, 'INPUT_INVALID');
  }
}
