/** Runs the native TypeScript compiler with the given arguments; `tsc` is the one that typescript-eslint reads types with. */
import { main, runTool } from './run.mjs';

await main(() => runTool('typescript-native/bin/tsc', process.argv.slice(2)));
