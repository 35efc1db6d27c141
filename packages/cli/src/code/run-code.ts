/** Runs the code of a policy: a module that a project wrote, with the packages that the project has installed. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomIds } from '@blockwork/core/adapter';
import { packArchive, writtenByHand } from '@blockwork/core/files';
import { isObject } from '@blockwork/core/records';
import { exitCodes } from '../line/exit-codes.js';
import { CommandError } from '../line/failure.js';

/** What the module is about: the policy as a JSON value, or an archive if the module also has files. */
export async function policyFromCode(path: string): Promise<unknown> {
  const module = await importModule(resolve(path)).catch((cause: unknown) => {
    if (cause instanceof CommandError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw unusable(`${path} cannot be run: ${reason}`);
  });
  const { default: policy, files } = module;
  if (!isObject(policy)) throw unusable(`${path} has no default export that is a policy: export definePolicy(...).`);
  return files === undefined ? policy : withFiles(policy, files, path);
}

function withFiles(policy: object, files: unknown, path: string): Uint8Array {
  const entries = isObject(files) ? Object.entries(files) : [];
  const written = Buffer.from(`${JSON.stringify(writtenByHand(policy), null, 2)}\n`);
  const others = entries.map(([name, value]) => [name, bytesOf(value, `${path}: files["${name}"]`)] as const);
  return packArchive(new Map([['policy.json', written], ...others]));
}

function bytesOf(value: unknown, label: string): Uint8Array {
  if (typeof value === 'string') return Buffer.from(value);
  if (isObject(value) && typeof value['base64'] === 'string') return Buffer.from(value['base64'], 'base64');
  throw unusable(`${label} is neither a text nor { base64: "..." }.`);
}

type Module = Readonly<Record<string, unknown>>;

async function importModule(file: string): Promise<Module> {
  if (extname(file).endsWith('js') || 'typescript' in process.features) return importFile(file);
  // Node 20 does not run TypeScript. The module stands beside its source, so that its imports are found.
  const compiled = join(dirname(file), `.${randomIds.uuid()}.mjs`);
  await writeFile(compiled, await asJavaScript(file), { flag: 'wx' });
  try {
    return await importFile(compiled);
  } finally {
    await rm(compiled, { force: true });
  }
}

const importFile = async (file: string): Promise<Module> => (await import(pathToFileURL(file).href)) as Module;

interface Compiler {
  readonly transpileModule: (code: string, options: object) => { readonly outputText: string };
}

/** Compiled by the project's own TypeScript, one file at a time. */
async function asJavaScript(file: string): Promise<string> {
  const code = await readFile(file, 'utf8');
  const { transpileModule } = compilerOf(file);
  return transpileModule(code, { compilerOptions: { module: 'esnext', target: 'es2023' } }).outputText;
}

function compilerOf(file: string): Compiler {
  try {
    return createRequire(file)('typescript') as Compiler;
  } catch {
    throw unusable(
      `${file} is TypeScript, which Node ${process.versions.node} does not run: use Node 22.18 or newer, install typescript 5 or 6 in the project, or name the file policy.mjs.`,
    );
  }
}

const unusable = (message: string): CommandError =>
  new CommandError(exitCodes.unreadable, message, 'POLICY_FILE_INVALID');
