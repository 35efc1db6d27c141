/** VMR0017: what a monitoring report says of emissions is calculated by formulas in LaTeX. */
import type { JsonObject } from '@blockwork/core';
import { policyBench, type PolicyBench } from '@blockwork/testing';
import { describe, expect, it } from 'vitest';
import { fillForm } from './fill-form.js';
import { library, libraryFile } from './library.js';

const FILE = 'vmr0017-grid-connected-renewable-electricity-generation-acm0.policy';

/** A hydropower plant with a small reservoir, and a battery. */
const figures = {
  ...{ field3: 0.9, field4: 0.3, field5: 0.75, field6: 0.25, field7: 1000 },
  ...{ field8: 1, field9: 1, field10: 3, field11: 20, field28: 5, field29: 0.5, field13: 90, field30: 1100 },
  ...{ field14: 0, field15: 5, field16: 5, field17: 0, field18: 0, field44: 24 },
  ...{ field42: 10, field43: 0.1, field38: 2, field39: 500 },
  ...{ field31: 0, field32: 0, field33: 0, field34: 'none', field35: 0, field36: 0, field37: 0, field41: 0 },
};

/** A validated project, and a report about it. */
async function reported(subject: JsonObject): Promise<PolicyBench> {
  const bench = policyBench(libraryFile('policies', FILE));
  const alice = bench.as('alice');
  await alice.choose({ role: 'Project Participant' });
  await fillForm(alice, 'create_pp_profile');
  await bench.owner.press('approve_pp_documents_btn', 'Button_0', await bench.owner.row('pp_grid_sr'));
  await fillForm(alice, 'add_project_bnt');
  await bench.owner.press('sr_validate_project_btn', 'Button_0', await bench.owner.row('project_grid_sr'));
  await fillForm(alice, 'add_report_bnt', { ref: await alice.row('project_grid_pp_2'), values: subject });
  return bench;
}

const subjectOf = async (bench: PolicyBench) => {
  const [report] = await bench.documents({ type: 'report' });
  const { credentialSubject } = (report?.document ?? {}) as { credentialSubject?: JsonObject[] };
  return credentialSubject?.[0] ?? {};
};

describe.skipIf(library === undefined)('VMR0017', () => {
  it('loads without an error among its findings', async () => {
    const bench = policyBench(libraryFile('policies', FILE));
    const { engine, policyId } = await bench.open();
    const findings = await engine.getFindings(bench.owner.caller, policyId);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('calculates a report with exact decimals, formula by formula', async () => {
    const subject = await subjectOf(await reported(figures));
    expect(subject).toMatchObject({
      field21: 6, //       power density: (20 - 5) / (3 - 0.5)
      field22: 0.75, //    combined margin: 0.75 * 0.9 + 0.25 * 0.3
      field23: 99, //      reservoir: 90 * 1100 / 1000
      field24: 750, //     baseline: 1000 * 0.75
      field25: 108.25, //  project: 99 + 10 * 0.75 * 1.1 + 2 / 1000 * 500
      field26: 24, //      leakage: 1000 * 24 * 0.001
      field27: 617.75, //  reduction
    });
  });

  it('takes the case of a geothermal plant by its name, and of no reservoir by its figures', async () => {
    const plant = { ...figures, field8: 0, field34: 'dry_or_flash', field31: 0.01, field32: 0.002, field33: 100 };
    const subject = await subjectOf(await reported(plant));
    expect(subject).toMatchObject({ field21: 0, field23: 0, field25: 15.25 }); // (0.01 + 0.002 * 25) * 100 + 9.25
  });
});
