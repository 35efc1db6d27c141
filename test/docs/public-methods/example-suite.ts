/** Examples of the methods of one holder, and what they take for granted. */
import type { Callable } from './public-types.js';

export interface Example extends Pick<Callable, 'name' | 'example'> {
  /** What the example calls, such as `engine.close(`. */
  readonly call: string;
  /** The code of the error that the example is about. */
  readonly throws?: string;
}

export interface ExampleSuite<Values extends object = object> {
  readonly holder: string;
  readonly examples: readonly Example[];
  /** The types of what examples take for granted, by its name. */
  readonly names: Readonly<Record<keyof Values, string>>;
  /** Imports of types. */
  readonly head?: string;
  /** Calls `run`, once, with what the example of this method takes for granted. */
  readonly perform: (method: string, run: (values: Values) => Promise<void>) => Promise<void>;
}
