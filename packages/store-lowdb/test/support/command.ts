/** The command as a program, from its sources. */
import { main } from '../../src/command/main.js';

/** The name of the program. */
export const command = 'command';

if (process.argv[1]?.endsWith(`${command}.mjs`)) await main();
