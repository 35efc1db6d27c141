/** The command as a program of its own, from its sources. */
import { main } from '../../src/command/main.js';

if (process.argv[1]?.endsWith('command.mjs')) await main();
