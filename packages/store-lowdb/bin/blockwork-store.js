#!/usr/bin/env node
/** Maintains the folder of a file store: `blockwork-store --help`. */
import { main } from '../dist/command/main.js';

await main();
