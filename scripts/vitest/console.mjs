/** Before the tests: bundles the console, which servers under test serve. */
import { bundleConsole } from '../console.mjs';

export async function setup() {
  await bundleConsole();
}
