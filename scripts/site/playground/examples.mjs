/** The policies that the playground comes with: the tutorial's, after each of its chapters, and those of the examples. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patched, stepsOf } from '../../packages/tutorial/page.mjs';
import { root } from '../../run.mjs';

const TUTORIAL = 'docs/tutorial.md';
const template = join(root, 'packages/create-blockwork/templates/form-approve-mint/{{name}}.policy.json');

const others = {
  'energy-certificates': 'examples/serve/policies/energy-certificates.policy.json',
  'meter-readings': 'examples/embed/meter-readings.policy.json',
};

/** Texts of policy files by the name of the example. Each has an id, so that its address can be read. */
export async function playgroundExamples() {
  const examples = new Map(await tutorialPolicies());
  for (const [name, path] of Object.entries(others)) examples.set(name, await readFile(join(root, path), 'utf8'));
  return new Map([...examples].map(([name, text]) => [name, JSON.stringify({ id: name, ...JSON.parse(text) })]));
}

/** As the template has it, with the changed form, and as it is at the end of the page. */
async function tutorialPolicies() {
  const name = 'sunlight.policy.json';
  let text = (await readFile(template, 'utf8')).replaceAll('{{name}}', 'sunlight');
  const changes = stepsOf(await readFile(join(root, TUTORIAL), 'utf8')).filter(({ file }) => file === name);
  const stages = [text, ...changes.map(({ code }) => (text = patched(text, code)))];
  return [
    ['sunlight-begun', stages[0]],
    ['sunlight-month', stages[1]],
    ['sunlight', stages.at(-1)],
  ];
}
