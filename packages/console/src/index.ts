/** `@blockwork/console`: where the files of the page are, for a server to serve. */
import { fileURLToPath } from 'node:url';

/** The folder of the page's files, for the option `console` of a server. */
export const consoleAssets: string = fileURLToPath(new URL('../dist/app', import.meta.url));
