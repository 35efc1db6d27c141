#!/usr/bin/env node
/** The command line of Blockwork: `blockwork --help`. Runs its bundle, or the modules where a checkout is compiled only. */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

// From Node 22.1 on, what was compiled is kept for the next start; where only this user can write, because it is run.
const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env;
const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache')) || LOCALAPPDATA;
if (caches) module.enableCompileCache?.(join(caches, 'blockwork'));
const bundle = new URL('../dist/bundle/program.js', import.meta.url);
const program = existsSync(bundle) ? bundle : new URL('../dist/index.js', import.meta.url);
const { main } = await import(program.href);

await main();
