/** The rules of the house that a machine can check. Types are known to them, so a promise nobody waits for is found. */
import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { leafImports } from './scripts/check/leaf-imports.mjs';
import { lintProject } from './scripts/check/lint-project.mjs';

const time = 'Ask the Clock port, so that a test can set the time.';
const ids = 'Ask the Ids port, so that a test knows what comes.';

/** What only the default implementations of the ports may touch. */
const noMachine = [
  { object: 'Date', property: 'now', message: time },
  { object: 'Math', property: 'random', message: ids },
  { object: 'crypto', property: 'randomUUID', message: ids },
  { object: 'globalThis', property: 'crypto', message: ids },
];

const noMachineSyntax = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: time },
  { selector: "CallExpression[callee.name='Date']", message: time },
];

const noMachineImports = {
  paths: ['crypto', 'node:crypto'].map((name) => ({
    name,
    importNames: ['randomUUID', 'randomBytes', 'randomInt'],
    message: ids,
  })),
};

/** Tests have as long as `vitest.config.ts` gives them, or longer. */
const noHurry = [
  {
    selector:
      "CallExpression[arguments.length=3] > ObjectExpression:nth-child(2) > Property[key.name='timeout'][value.value<300000]",
    message: 'Leave the limit out: a shorter one than that of all tests depends on how fast the machine is.',
  },
];

const tests = ['**/*.test.ts', 'packages/*/test/**', 'test/**', 'examples/*/test/**', 'vitest.config.ts'];

export default defineConfig(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/coverage/**', '.blockwork/**'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      // One program for sources and tests alike, with the packages read from their sources: nothing needs a build first.
      // For a few files, a smaller one.
      parserOptions: {
        project: lintProject(import.meta.dirname, process.argv.slice(2)),
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // `read?(ctx): Promise<Json | void>`: blocks may answer nothing.
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Ports have asynchronous methods that need no waiting in memory.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-spread': ['error', { allow: [{ from: 'lib', name: 'Error' }] }],
      // \`get<T>(schema)\` names what comes back, once.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-properties': ['error', ...noMachine],
    },
  },
  {
    // The page of the console: other libraries, and the browser's own ways.
    files: ['packages/console/app/**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: './packages/console/app/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/dot-notation': 'off',
      '@typescript-eslint/prefer-nullish-coalescing': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-restricted-properties': 'off',
      'max-lines': ['error', { max: 400 }],
    },
  },
  {
    // The hooks and views of pages, with the browser's own types.
    files: ['packages/react/src/**/*.{ts,tsx}'],
    ignores: ['packages/react/src/**/*.test.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: './packages/react/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    // What a page has in the place of Node.js: machines, and the browser's own types.
    files: ['packages/playground/src/**/*.ts'],
    languageOptions: {
      parserOptions: { project: './packages/playground/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // The texts are in two files, as those who translate them expect.
    files: ['packages/console/app/texts.ts'],
    rules: { 'max-lines': ['error', { max: 600 }] },
  },
  {
    files: ['packages/**/*.ts'],
    ignores: ['packages/console/app/**', 'packages/playground/src/**'],
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...noMachineSyntax],
      'no-restricted-imports': ['error', noMachineImports],
    },
  },
  {
    files: ['packages/*/src/**', 'examples/*/src/**', 'scripts/**'],
    ignores: ['**/*.test.ts'],
    rules: { 'max-lines': ['error', { max: 400 }] },
  },
  {
    // Generated.
    files: ['packages/blocks/src/definition/block-members.ts'],
    rules: { 'max-lines': 'off' },
  },
  {
    // The clock and chance of the machine, the secrets of a server, and the client and the verifier, which have no ports.
    files: [
      'packages/core/src/defaults/**',
      'packages/cli/src/serve/stored-secret.ts',
      'packages/client/src/api-error.ts',
      'packages/verify/src/clock.ts',
    ],
    rules: { 'no-restricted-properties': 'off', 'no-restricted-syntax': 'off', 'no-restricted-imports': 'off' },
  },
  {
    files: tests,
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-syntax': ['error', ...noHurry],
      'no-restricted-imports': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['packages/*/src/**/*.test.ts'],
    plugins: { tests: { rules: { 'leaf-imports': leafImports } } },
    rules: { 'tests/leaf-imports': 'error' },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: nodeGlobals() },
  },
  prettier,
);

/** Of everything that Node brings, what the plain scripts of this workspace use. */
function nodeGlobals() {
  const data = 'Buffer TextDecoder TextEncoder URL URLSearchParams structuredClone';
  const time = 'clearInterval clearTimeout performance queueMicrotask setImmediate setInterval setTimeout';
  const rest = 'AbortController AbortSignal console fetch globalThis module process';
  return Object.fromEntries(`${data} ${time} ${rest}`.split(' ').map((name) => [name, 'readonly']));
}
