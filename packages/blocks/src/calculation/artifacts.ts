/** Files of a policy that a script uses: code that runs before it, and data passed to it. */
import { tolerant, type Json, type RunContext } from '@blockwork/core/block';
import type { ArtifactRecord } from '@blockwork/core/records';
import { z } from 'zod';

const { listOf, text } = tolerant;

/** The option `artifacts`. The `type` of one is `Executable Code` or `JSON`; others are left out. */
export const namedArtifacts = listOf(z.object({ uuid: text, type: text, name: text }));
export type NamedArtifact = z.infer<typeof namedArtifacts>[number];

export interface Artifacts {
  readonly code: readonly string[];
  readonly data: readonly Json[];
}

/** Each kind in the order of the policy. Fails with `BLOCK_MISCONFIGURED` for a missing file, or data that is not JSON. */
export async function artifactsOf(ctx: RunContext, named: readonly NamedArtifact[]): Promise<Artifacts> {
  const code: string[] = [];
  const data: Json[] = [];
  const used = named.filter(({ type }) => type === CODE || type === 'JSON');
  // Loaded in parallel, since the store may be remote.
  const artifacts = await Promise.all(used.map(({ uuid }) => ctx.definitions.artifact(uuid)));
  for (const [at, artifact] of used.entries()) {
    const text = textOf(ctx, artifact, artifacts[at]);
    if (artifact.type === CODE) code.push(text);
    else data.push(parsed(ctx, artifact, text));
  }
  return { code, data };
}

const CODE = 'Executable Code';

function textOf(ctx: RunContext, { uuid, name }: NamedArtifact, record: ArtifactRecord | undefined): string {
  if (record === undefined) {
    return ctx.fail('BLOCK_MISCONFIGURED', { facts: { reason: `the policy has no file "${name || uuid}"` } });
  }
  return Buffer.from(record.content, 'base64').toString('utf8');
}

function parsed(ctx: RunContext, { uuid, name }: NamedArtifact, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return ctx.fail('BLOCK_MISCONFIGURED', {
      facts: { reason: `the file "${name || uuid}" is not JSON` },
      cause: error,
    });
  }
}
