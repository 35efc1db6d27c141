/** The command as a program of its own, from its sources. */
import { main } from '../../src/command/main.js';

/** How the program is called. */
export const command = 'command';

if (process.argv[1]?.endsWith(`${command}.mjs`)) await main();
