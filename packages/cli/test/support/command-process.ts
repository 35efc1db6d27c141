/** The command line as a program of its own: one file for each module, so that a process says which of them it loads. */
import { main } from '../../src/index.js';

await main();
