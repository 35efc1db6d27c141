/** Vitest setup of every test file. */
import { beforeEach } from 'vitest';
import { limitProperties } from './property-limits.js';

beforeEach(({ task }) => limitProperties(task.timeout));
