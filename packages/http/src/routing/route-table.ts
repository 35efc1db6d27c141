/** Finds the route of a request, through rou3. */
import { addRoute, createRouter, findRoute } from 'rou3';

export interface RouteMatch<Endpoint> {
  readonly endpoint: Endpoint;
  /** The undecoded path parameters. */
  readonly captures: Readonly<Record<string, string>>;
}

const none: Readonly<Record<string, string>> = {};

/** Paths are case-sensitive; one slash at the end is ignored. */
export class RouteTable<Endpoint> {
  readonly #router = createRouter<Endpoint>();
  readonly #methods = new Set<string>();

  /** `path` has its parameters in braces: `/policies/{policyId}`. `HEAD` is answered as `GET`. */
  add(method: string, path: string, endpoint: Endpoint): void {
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      this.#methods.add(each);
      addRoute(this.#router, each, path.replace(/\{(\w+)\}/g, ':$1'), endpoint);
    }
  }

  find(method: string, path: string): RouteMatch<Endpoint> | undefined {
    const found = findRoute(this.#router, method, path);
    return found === undefined ? undefined : { endpoint: found.data, captures: found.params ?? none };
  }

  /** The methods of all routes with this path, sorted. */
  methodsAt(path: string): string[] {
    return [...this.#methods].filter((method) => findRoute(this.#router, method, path) !== undefined).sort();
  }
}
