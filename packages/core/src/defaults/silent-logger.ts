/** A logger that drops everything. */
import type { Logger } from '../ports/index.js';

const drop = (): void => undefined;

export const silentLogger: Logger = { debug: drop, info: drop, warn: drop, error: drop };
