#!/usr/bin/env node
/** The command line of Blockwork: `blockwork --help`. Runs the bundle or, in a checkout without one, the compiled modules. */
import { existsSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';

// From Node 22.1 on, compiled code is cached for the next start, in a folder only this user can write, because it is executed.
const { XDG_CACHE_HOME, HOME, LOCALAPPDATA } = process.env;
const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache')) || LOCALAPPDATA;
if (caches) module.enableCompileCache?.(join(caches, 'blockwork'));
const bundle = new URL('../dist/bundle/program.js', import.meta.url);
const program = existsSync(bundle) ? bundle : new URL('../dist/index.js', import.meta.url);
const { main } = await import(program.href);

await main();
