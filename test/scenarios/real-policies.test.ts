/** The public policies of other people: every block of theirs is known, and each goes on trial and is published. */
import { policyBench } from '@blockwork/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { realPolicies } from './support/cases.js';

const files = realPolicies === undefined ? [] : readdirSync(realPolicies).filter((name) => name.endsWith('.policy'));

describe.skipIf(realPolicies === undefined)('real policies', () => {
  it('are all here', () => {
    const listed = JSON.parse(readFileSync(join(realPolicies ?? '.', 'index.json'), 'utf8')) as { file: string }[];
    expect(listed.map(({ file }) => file).sort()).toEqual([...files].sort());
  });

  it.each(files)('%s goes on trial and back, and is published', async (file) => {
    const bench = policyBench(new Uint8Array(readFileSync(join(realPolicies ?? '.', file))), { status: 'draft' });
    const { engine, policyId, owner } = await bench.open();

    const findings = (await bench.findings()).filter(
      ({ severity, code }) => severity === 'error' || code === 'BLOCK_TYPE_UNKNOWN',
    );
    expect(findings).toEqual([]);

    expect(await engine.lifecycle.dryRun(owner, policyId)).toMatchObject({
      isValid: true,
      policy: { status: 'DRY-RUN' },
    });
    expect(await engine.lifecycle.draft(owner, policyId)).toMatchObject({ isValid: true, policy: { status: 'DRAFT' } });
    expect(await engine.lifecycle.publish(owner, policyId, '1.0.0')).toMatchObject({
      isValid: true,
      policy: { status: 'PUBLISH', version: '1.0.0' },
    });
    await bench.close();
  });
});
