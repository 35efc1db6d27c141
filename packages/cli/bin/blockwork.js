#!/usr/bin/env node
/** The command line of Blockwork: `blockwork --help`. */
import { main } from '../dist/index.js';

await main();
