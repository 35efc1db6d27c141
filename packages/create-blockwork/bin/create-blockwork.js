#!/usr/bin/env node
/** `npm create blockwork <folder>`. */
import { createProject } from '../dist/index.js';

const { code, text } = await createProject(process.argv.slice(2));
(code === 0 ? process.stdout : process.stderr).write(text);
process.exitCode = code;
