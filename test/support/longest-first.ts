/** The order of test files: those that take longest begin first, so that none of them is left alone with one worker at the end. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longest } from './longest-files.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const places = new Map(longest.map((path, place) => [path, place]));
const placeOf = ({ moduleId }: TestSpecification): number => places.get(relative(root, moduleId)) ?? longest.length;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b));
  }
}
